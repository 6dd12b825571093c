"""Build the wheel, install it into an empty environment, and run it from an empty folder.

A wheel must carry conf/ and the papers' figures; a checkout would hide that they are missing.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUN = "run dataset=breast_cancer noise=class_conditional learner=rknn protocol.repeats=1 name=demo"


def main() -> None:
    with tempfile.TemporaryDirectory() as box:
        wheels, empty = Path(box) / "wheels", Path(box) / "empty"
        empty.mkdir()
        call([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", wheels, ROOT])
        [wheel] = wheels.glob("*.whl")
        venv.create(Path(box) / "venv", with_pip=True)
        scripts = Path(box) / "venv" / ("Scripts" if os.name == "nt" else "bin")
        constraints = ROOT / "constraints.txt"
        call([scripts / "python", "-m", "pip", "install", "-q", "-c", constraints, wheel])
        call([scripts / "noisebench", *RUN.split()], cwd=empty)
        call([scripts / "noisebench", "table", "runs/demo", "--format", "md"], cwd=empty)
        call([scripts / "noisebench", "list", "experiments"], cwd=empty)
        look = "from noisebench.reference import load_reference as r; print(r('gao_table2').shape)"
        call([scripts / "python", "-c", look], cwd=empty)
    print("The wheel installs and runs on its own.")


def call(words: list[object], cwd: Path | None = None) -> None:
    """Run a command without the caller's import path, and stop where it fails."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    subprocess.run([str(word) for word in words], check=True, cwd=cwd, env=environment)


if __name__ == "__main__":
    main()
