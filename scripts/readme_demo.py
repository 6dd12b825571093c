"""Run the README's example and put its figure and table into the README."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from noisebench.cli import main

ROOT = Path(__file__).resolve().parent.parent
SWEEP = (
    "run -q -m dataset=breast_cancer,heart,ionosphere,diabetes noise=none,class_conditional "
    "learner=knn,rknn,logistic name=demo"
)


def update() -> None:
    with tempfile.TemporaryDirectory() as folder:
        table, image = Path(folder) / "table.md", ROOT / "docs" / "images" / "demo.png"
        assert main([*SWEEP.split(), f"output={folder}"]) == 0
        assert main(["table", f"{folder}/demo", "--format", "md", "-o", str(table)]) == 0
        assert main(["figure", f"{folder}/demo", "-o", str(image)]) == 0
        text = table.read_text(encoding="utf-8")
    readme = ROOT / "README.md"
    begin, end = "<!-- demo table: begin -->", "<!-- demo table: end -->"
    pattern = re.compile(f"{begin}.*{end}", re.DOTALL)
    filled = f"{begin}\n{text.strip()}\n{end}"
    content = pattern.sub(lambda _: filled, readme.read_text(encoding="utf-8"))
    readme.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    update()
