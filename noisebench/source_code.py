"""A digest of the source behind a class: its module and what that imports from its own package."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
from functools import cache
from pathlib import Path


@cache
def source_digest(module: str) -> str:
    """Return a hash over the source of ``module`` and the siblings that it imports.

    Only modules of the same top-level package are followed: other packages have versions of
    their own. Comments, docstrings and layout do not count: the hash is of the syntax tree.
    """
    digest = hashlib.sha256()
    for name in sorted(_closure(module)):
        digest.update(name.encode())
        digest.update(ast.dump(_tree(name)).encode())
    return digest.hexdigest()[:16]


def _closure(module: str) -> set[str]:
    package = module.partition(".")[0]
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in seen or name.partition(".")[0] != package or _path(name) is None:
            continue
        seen.add(name)
        waiting += _imports(_tree(name), name)
    return seen


def _imports(tree: ast.AST, module: str) -> list[str]:
    """Return the modules that the code names; ``from a import b`` may mean a.b or a."""
    found: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, module)
            found += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return found


def _absolute(node: ast.ImportFrom, module: str) -> str:
    if not node.level:
        return node.module or ""
    path = _path(module)
    is_package = path is not None and path.name == "__init__.py"
    parts = module.split(".")[
        : None if is_package and node.level == 1 else -node.level + is_package
    ]
    return ".".join([*parts, *([node.module] if node.module else [])])


@cache
def _tree(module: str) -> ast.AST:
    path = _path(module)
    assert path is not None
    tree = ast.parse(path.read_bytes())
    for node in ast.walk(tree):
        _drop_docstring(node)
    return tree


def _drop_docstring(node: ast.AST) -> None:
    body = getattr(node, "body", None)
    if not isinstance(body, list) or not body or not isinstance(body[0], ast.Expr):
        return
    if isinstance(body[0].value, ast.Constant) and isinstance(body[0].value.value, str):
        del body[0]


@cache
def _path(module: str) -> Path | None:
    """Return the source file of a module, or None where there is none (built in, compiled)."""
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return None
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        return None
    return Path(spec.origin)
