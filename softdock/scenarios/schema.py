"""JSON Schema of a scenario's file, with descriptions and units, so that an editor completes and checks its keys."""

import ast
import inspect
import itertools
import re
import textwrap
from typing import Any, get_args

from pydantic import BaseModel

from softdock.scenarios import builder
from softdock.scenarios.scenario import Scenario
from softdock.world.world_files import IMPORTS

_NAMED = r"`{key}`(?:(?:,|,? and|,? or)\s+`\w+`)*\s+\(([^()]*)\)"
"""A key, others beside it, and their unit."""
_UNIT = re.compile(r"\((-|[^()]*(?:\b|²|³)(?:m|s|N|J|W|kg|rad|degrees|Hz|MB|1)[²³ⁿ]?(?:/[^()]*)?)\)")


def schema_of(name: str) -> dict[str, Any]:
    """The schema of a scenario by name; UnknownScenario if there is none."""
    kind = builder(name)
    schema: dict[str, Any] = kind.model_json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = f"softdock scenario {name}"
    parts = schema.get("$defs", {})
    _describe_all(schema, kind)
    _add_units(schema, parts, kind)
    for filled in kind.fills:
        _not_required(schema, parts, filled.split("."))
    if "World" in parts:
        for key, described in IMPORTS.items():
            inner = described.model_json_schema()
            _describe_all(inner, described)
            parts |= inner.pop("$defs", {})
            told = " ".join((described.__doc__ or "").split())
            parts["World"]["properties"][key] = {"type": "array", "items": inner, "description": told}
        parts["World"]["required"] = [key for key in parts["World"].get("required", []) if key != "bodies"]
    _allow_short_forms(schema, parts)
    return schema


def _allow_short_forms(schema: dict[str, Any], parts: dict[str, Any]) -> None:
    """What files may say in fewer words: one number for a list, three for a matrix's diagonal, `rpy`, contacts "all",
    shapes that become several convex ones."""
    numbers = {"type": "array", "items": {"type": "number"}}
    waiting: list[Any] = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting += part
        elif isinstance(part, dict):
            waiting += [value for key, value in part.items() if key != "default"]
            if part.keys() == {"position", "quaternion"}:  # of a pose, wherever it is described
                part["rpy"] = {**numbers, "minItems": 3, "maxItems": 3, "description": "In place of "
                               "`quaternion`: roll, pitch, yaw about fixed axes (rad)."}  # fmt: skip
            if part.get("type") == "array" and part.get("items", {}).get("type") in ("number", "integer"):
                if "minItems" not in part:
                    part["anyOf"] = [{"type": "array", "items": part.pop("items")}, {"type": "number"}]
                    del part["type"]
            elif part.get("title") == "Inertia" and part.get("type") == "array":
                part.pop("prefixItems", None)
                part["items"] = {"anyOf": [{"type": "number"}, numbers]}
    for name, key in (("World", "contacts"), ("Body", "shapes")):
        if name in parts and key in parts[name]["properties"]:
            loose = {"const": "all"} if key == "contacts" else {"type": "array", "items": {"required": ["kind"]}}
            strict = parts[name]["properties"][key]
            parts[name]["properties"][key] = {"anyOf": [strict, loose], "description": strict.pop("description", "")}


def models_in(kind: type[BaseModel]) -> list[type[BaseModel]]:
    """All records that a record is made of."""
    found: list[type[BaseModel]] = []
    waiting: list[Any] = [kind]
    while waiting:
        one = waiting.pop()
        if isinstance(one, type) and issubclass(one, BaseModel):
            if one not in found:
                found.append(one)
                waiting += [field.annotation for field in one.model_fields.values()]
        else:
            waiting += get_args(one)
    return found


def _describe_all(schema: dict[str, Any], kind: type[BaseModel]) -> None:
    """A record's schema, and those of all that it is made of."""
    _describe(schema, kind)
    parts = schema.get("$defs", {})
    for model in models_in(kind):
        if model.__name__ in parts:
            _describe(parts[model.__name__], model)


def _describe(part: dict[str, Any], model: type[BaseModel]) -> None:
    """Put what stands under a record's fields into its schema, or else the sentence of the record's own description
    that names a field: "at `hold` and `near` (m)"."""
    said = docstrings(model)
    for key, entry in part.get("properties", {}).items():
        told = said.get(key) or _sentence(model, key)
        if told:
            entry.setdefault("description", " ".join(told.split()))
        found = _UNIT.search(told) if key in said else re.search(_NAMED.format(key=key), told)
        if found and _is_number(entry) and (unit := _UNIT.fullmatch(f"({found[1].partition(', ')[0]})")):
            entry["x-unit"] = unit[1]


def _sentence(model: type[BaseModel], key: str) -> str:
    """Of a record's description, or of one that it is derived from: the first that names a key."""
    sentences = (one for kind in model.__mro__ for one in re.split(r"(?<=[.;:])\s+", kind.__doc__ or ""))
    return next((one for one in sentences if f"`{key}`" in one), "")


def _is_number(entry: dict[str, Any]) -> bool:
    kinds = [entry, *entry.get("anyOf", ()), *entry.get("prefixItems", ()), entry.get("items", {})]
    return any(isinstance(kind, dict) and kind.get("type") in ("number", "integer") for kind in kinds)


def docstrings(model: type) -> dict[str, str]:
    """What stands under the fields of a class and of those it is derived from; nothing where there is no source."""
    said: dict[str, str] = {}
    for one in reversed(model.__mro__):
        if one.__module__.partition(".")[0] in ("builtins", "pydantic", "typing", "abc"):
            continue
        try:
            body = ast.parse(textwrap.dedent(inspect.getsource(one))).body[0]
        except (OSError, SyntaxError, TypeError):
            continue
        for field, text in itertools.pairwise(getattr(body, "body", [])):
            named = isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
            if named and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
                said[field.target.id] = str(text.value.value)
    return said


def _add_units(schema: dict[str, Any], parts: dict[str, Any], kind: type[Scenario]) -> None:
    """Units that the scenario declares of its keys, `chaser.mass` among them."""
    for name, measure in kind.measures().items():
        at: Any = schema
        for key in name.split("."):
            at = _resolved(at, parts).get("properties", {}).get(key)
            if at is None:
                break
        if isinstance(at, dict) and measure.unit and at is not schema:
            at.setdefault("x-unit", measure.unit)
            described = at.get("description", measure.meaning)
            if f"({measure.unit})" not in described:
                at["description"] = f"{described} ({measure.unit})".strip()


def _not_required(schema: dict[str, Any], parts: dict[str, Any], keys: list[str]) -> None:
    """Let a file leave out the last of keys that lead to it."""
    for key in keys[:-1]:
        schema = _resolved(schema["properties"][key], parts)
    schema["required"] = [key for key in schema.get("required", []) if key != keys[-1]]


def _resolved(part: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    name = str(part.get("$ref", "")).rpartition("/")[2]
    return parts.get(name, part)
