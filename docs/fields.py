"""An extension of Griffe: the API reference shows the fields of a record, or a constructor's arguments, as one table.

The unit of a field stands in its docstring, in brackets: `(m/s)`, `(m or rad)`, `(-)` for a number without one. That of
an argument stands after its name in the class's docstring: `h` (s).
"""

import ast
import dataclasses
import importlib
import inspect
import itertools
import re
import textwrap
from typing import Any, get_args

import griffe
from numpy.typing import ArrayLike
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

_SIGNS = {"gt": ">", "ge": "≥", "lt": "<", "le": "≤", "min_length": "length ≥"}
_QUALIFIED = re.compile(r"\b(?:[a-z_]\w*\.)+(?=\w)")
_WORDS = {
    "NoneType": "None",
    "tuple[float, float, float]": "3 numbers",
    "tuple[float, float, float, float]": "4 numbers",
}
_SYMBOL = r"(?:√?kg|rad|MB|√?Hz|m|s|N|J|W|1)[²³ⁿ]?"
_ONE = rf"{_SYMBOL}(?:[ /]{_SYMBOL})*"
_UNIT = re.compile(rf" ?\((-|{_ONE}(?:(?: or |, ){_ONE})*)\)")
_NUMBERS = re.compile(r"^(?!Callable).*\b(float|numbers|ndarray|array|ArrayLike)\b|^Any$")


class FieldTables(griffe.Extension):
    """Replaces the attributes of pydantic models, dataclasses and named tuples by a table in the class's docstring, and
    adds one of the arguments of other classes."""

    def on_class_members(self, *, cls: griffe.Class, **_: Any) -> None:
        """Called when Griffe has read a class."""
        record = runtime(cls.path)
        fields = fields_of(record)
        for name, member in [*cls.members.items()]:
            if member.is_attribute and not member.docstring and (fields is not None or not member.annotation):
                del cls.members[name]  # in the table, or set by a method without a word
        if fields is None:
            arguments = arguments_of(record)
            if any(_NUMBERS.search(kind) for kind, _, _ in arguments.values()):  # else the signature says it all
                rows = [f"| `{name}` | {' | '.join(row)} |" for name, row in arguments.items()]
                table = ["| argument | type | unit | default |", "|---|---|---|---|", *rows]
                text = cls.docstring.value if cls.docstring else ""
                cls.docstring = griffe.Docstring("\n\n".join([text, "\n".join(table)]), parent=cls)
            return
        cls.members.pop("model_post_init", None)
        said = docstrings(record)
        told = any(_UNIT.sub("", said.get(name, "")).strip(" .") for name in fields)
        table = ["| field | type | unit | default |" + " meaning |" * told, "|---|---|---|---|" + "---|" * told]
        for name, (kind, default) in fields.items():
            unit, meaning = unit_of(kind, said.get(name, ""))
            shown = f"`{default}`" if default else "required"
            table.append(f"| `{name}` | {kind} | {unit} | {shown} |" + f" {meaning} |" * told)
            cls.members.pop(name, None)
        text = cls.docstring.value if cls.docstring else ""
        cls.docstring = griffe.Docstring("\n\n".join([text, "\n".join(table)] if fields else [text]), parent=cls)
        cls.members.pop("__init__", None)


def unit_of(kind: str, said: str) -> tuple[str, str]:
    """Unit of a field of this type and docstring, "" if a number has none stated; and the docstring as a table's cell,
    without the unit if it is the only one."""
    said = " ".join(said.split()).replace("|", "\\|")
    units = _UNIT.findall(said)
    meaning = _UNIT.sub("", said) if len(units) == 1 else said
    return ", ".join(units) or ("" if _NUMBERS.search(kind) else "-"), meaning.removeprefix(".")


def arguments_of(cls: Any) -> dict[str, tuple[str, str, str]]:
    """Type, unit and default of a constructor's arguments; unit "" if a number has none stated."""
    if not inspect.isclass(cls) or "__init__" not in vars(cls) or issubclass(cls, BaseException):
        return {}
    if getattr(cls, "_is_protocol", False):
        return {}
    said, found = " ".join((inspect.getdoc(cls) or "").split()), {}
    for name, argument in inspect.signature(cls).parameters.items():
        kind = plain(argument.annotation)
        unit, _ = unit_of(kind, "".join(re.findall(rf"`{name}`( \([^()]*\))", said)))
        default = "required" if argument.default is argument.empty else f"`{_default(argument.default)}`"
        found[name] = (kind, unit, default)
    return found


def docstrings(cls: type) -> dict[str, str]:
    """What stands under the fields of a class and of those it is derived from."""
    said: dict[str, str] = {}
    for one in reversed(cls.__mro__):
        if not one.__module__.startswith("softdock"):
            continue
        body = ast.parse(textwrap.dedent(inspect.getsource(one))).body[0].body  # type: ignore[attr-defined]
        for field, text in itertools.pairwise(body):
            if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
                said[field.target.id] = str(text.value.value)  # type: ignore[union-attr]
    return said


def runtime(path: str) -> Any:
    """The object at a dotted path, or None."""
    module, _, name = path.rpartition(".")
    try:
        return getattr(importlib.import_module(module), name, None)
    except ImportError:
        return None


def fields_of(cls: Any) -> dict[str, tuple[str, str]] | None:
    """Type and default of every field of a record, or None if the class is none."""
    if not inspect.isclass(cls):
        return None
    if issubclass(cls, BaseModel):
        return {name: _model_field(field) for name, field in cls.model_fields.items()}
    if dataclasses.is_dataclass(cls):
        return {
            field.name: (plain(field.type), _default(field.default, field.default_factory))
            for field in dataclasses.fields(cls)
            if field.init and not field.name.startswith("_")
        }
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        defaults = cls._field_defaults
        return {
            name: (plain(kind), _default(defaults.get(name, dataclasses.MISSING)))
            for name, kind in cls.__annotations__.items()
        }
    return None


def _model_field(field: Any) -> tuple[str, str]:
    kind, bounds = plain(field.annotation), []
    for item in field.metadata:
        bounds += [f"{sign} {getattr(item, word):g}" for word, sign in _SIGNS.items() if hasattr(item, word)]
    factory = field.default_factory or dataclasses.MISSING
    default = dataclasses.MISSING if field.default is PydanticUndefined else field.default
    return ", ".join([kind, *bounds]), _default(default, factory)


def _default(value: Any, factory: Any = dataclasses.MISSING) -> str:
    if value is dataclasses.MISSING:
        return "" if factory is dataclasses.MISSING else f"{getattr(factory, '__name__', 'computed')}()"
    if inspect.isclass(value):
        return str(value.__name__)
    if isinstance(value, BaseModel):
        return f"{type(value).__name__}()"
    if isinstance(value, tuple) and value == ((0.0,) * 3,) * 3:
        return "0"
    text = repr(value)
    return text if len(text) <= 60 else f"{type(value).__name__}"


def plain(kind: Any) -> str:
    """A type as one writes it: without modules, bounds and private aliases."""
    if getattr(kind, "__metadata__", None):
        return plain(get_args(kind)[0])
    if "Union" in type(kind).__name__:
        parts, array = get_args(kind), get_args(ArrayLike)
        given = parts[: len(array)] == array
        return " or ".join(["array"] * given + [plain(part) for part in parts[len(array) * given :]])
    if getattr(kind, "__origin__", None) is tuple:
        parts = [plain(part) for part in get_args(kind) if part is not Ellipsis]
        text = f"tuple of {parts[0]}" if Ellipsis in get_args(kind) else f"tuple[{', '.join(parts)}]"
        return _WORDS.get(text, text)
    if getattr(kind, "__origin__", None) is dict:
        return f"dict[{', '.join(map(plain, get_args(kind)))}]"
    if inspect.isclass(kind):
        return _WORDS.get(kind.__name__, kind.__name__)
    text = _QUALIFIED.sub("", str(kind)).replace("|", "or").replace("ndarray[tuple[Any, ...], dtype[Any]]", "ndarray")
    literals = re.findall(r"'([^']*)'", text) if text.startswith("Literal[") else []
    return " or ".join(f"`{word}`" for word in literals) or text
