"""An extension of Griffe: the API reference shows the fields of a record as one table."""

import dataclasses
import importlib
import inspect
import re
from typing import Any, get_args

import griffe
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

_SIGNS = {"gt": ">", "ge": "≥", "lt": "<", "le": "≤", "min_length": "length ≥"}
_QUALIFIED = re.compile(r"\b(?:[a-z_]\w*\.)+(?=\w)")
_WORDS = {
    "NoneType": "None",
    "tuple[float, float, float]": "3 numbers",
    "tuple[float, float, float, float]": "4 numbers",
}


class FieldTables(griffe.Extension):
    """Replaces the attributes of pydantic models, dataclasses and named tuples by a table in the class's docstring."""

    def on_class_members(self, *, cls: griffe.Class, **_: Any) -> None:
        """Called when Griffe has read a class."""
        fields = fields_of(runtime(cls.path))
        for name, member in [*cls.members.items()]:
            if member.is_attribute and not member.docstring and (fields is not None or not member.annotation):
                del cls.members[name]  # in the table, or set by a method without a word
        if fields is None:
            return
        cls.members.pop("model_post_init", None)
        said = {name: member.docstring.value for name, member in cls.members.items() if member.docstring}
        told = any(name in said for name in fields)
        table = ["| field | type | default |" + " |" * told, "|---|---|---|" + "---|" * told]
        for name, (kind, default) in fields.items():
            meaning = " ".join(said.get(name, "").split()).replace("|", "\\|")
            shown = f"`{default}`" if default else "required"
            table.append(f"| `{name}` | {kind} | {shown} |" + f" {meaning} |" * told)
            cls.members.pop(name, None)
        text = cls.docstring.value if cls.docstring else ""
        cls.docstring = griffe.Docstring("\n\n".join([text, "\n".join(table)] if fields else [text]), parent=cls)
        cls.members.pop("__init__", None)


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
        return " or ".join(plain(part) for part in get_args(kind))
    if getattr(kind, "__origin__", None) is tuple:
        parts = [plain(part) for part in get_args(kind) if part is not Ellipsis]
        text = f"tuple of {parts[0]}" if Ellipsis in get_args(kind) else f"tuple[{', '.join(parts)}]"
        return _WORDS.get(text, text)
    if inspect.isclass(kind):
        return _WORDS.get(kind.__name__, kind.__name__)
    text = _QUALIFIED.sub("", str(kind)).replace("|", "or").replace("ndarray[tuple[Any, ...], dtype[Any]]", "ndarray")
    literals = re.findall(r"'([^']*)'", text) if text.startswith("Literal[") else []
    return " or ".join(f"`{word}`" for word in literals) or text
