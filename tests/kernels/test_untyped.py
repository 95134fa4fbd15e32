"""Functions without types are compiled ones: mypy is told to pass them over by module (pyproject.toml)."""

import ast
from pathlib import Path

import softdock

COMPILED = ("njit", "loop", "CompiledLoop", "partial", "cfunc", "overload")
MARK = "type: ignore[no-untyped-def]"


def test_only_compiled_functions_have_no_types() -> None:
    untyped = []
    for path in Path(softdock.__file__).parent.rglob("*.py"):
        text = path.read_text()
        if "numba" not in text and "softdock.kernels" not in text:
            continue
        lines = text.split("\n")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and node.returns is None and MARK not in lines[node.lineno - 1]:
                decorators = [ast.unparse(d).split("(")[0] for d in node.decorator_list]
                if not set(decorators) & set(COMPILED) and f"({node.name})" not in text:  # cfunc(…)(name)
                    untyped.append(f"{path.name}:{node.lineno} {node.name}")
    assert untyped == []
