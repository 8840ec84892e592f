"""The source of the package, as tests read it: its modules and what they import."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "ragstone"


@dataclass(frozen=True, slots=True)
class Import:
    """One import: what, where, and whether it runs when its module is imported."""

    target: str
    line: int
    eager: bool


def modules() -> dict[str, Path]:
    """Return every module of the package, dotted name -> file."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def parse(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imports(tree: ast.AST, *, eager: bool = True) -> Iterator[Import]:
    """Go through all imports, those by `import_module` and `__import__` with a literal too."""
    for node in ast.iter_child_nodes(tree):
        for target in targets(node):
            yield Import(target, getattr(node, "lineno", 0), eager)
        later = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        yield from imports(node, eager=eager and not later and not is_for_types(node))


def targets(node: ast.AST) -> list[str]:
    """Return what a node imports; of `from a import b` it is `a.b`, which may be a module."""
    match node:
        case ast.Import(names=names):
            return [name.name for name in names]
        case ast.ImportFrom(module=module, names=names):
            return [f"{module}.{name.name}" for name in names]
        case ast.Call(func=ast.Name(id="__import__") | ast.Attribute(attr="import_module")):
            return [str(a.value) for a in node.args[:1] if isinstance(a, ast.Constant)]
        case ast.Call(func=ast.Name(id="import_module")):
            return [str(a.value) for a in node.args[:1] if isinstance(a, ast.Constant)]
    return []


def is_for_types(node: ast.AST) -> bool:
    """Tell whether a node is `if TYPE_CHECKING:`."""
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
