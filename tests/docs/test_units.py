"""The API reference: a number's unit is stated where the number is declared."""

import importlib.util
import inspect
from typing import Any

import pytest
from pages import ROOT

import softdock as sd

pytest.importorskip("griffe")
_spec = importlib.util.spec_from_file_location("field_tables", ROOT / "docs" / "fields.py")
assert _spec is not None and _spec.loader is not None
tables = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(tables)


def public() -> dict[str, Any]:
    """Public classes by their place."""
    packages = [sd, *(thing for name in sd.__all__ if inspect.ismodule(thing := getattr(sd, name)))]
    named = {f"{one.__name__}.{name}": getattr(one, name) for one in packages for name in one.__all__}
    return {name: thing for name, thing in named.items() if inspect.isclass(thing)}


def test_every_field_of_a_public_record_has_its_unit():
    records = {name: thing for name, thing in public().items() if tables.fields_of(thing) is not None}
    assert len(records) > 60
    missing = [
        f"{name}.{field}"
        for name, record in records.items()
        for field, (kind, _) in tables.fields_of(record).items()
        if not tables.unit_of(kind, tables.docstrings(record).get(field, ""))[0]
    ]
    assert not missing, f"a docstring with the unit, such as (m/s) or (-), is missing under {', '.join(missing)}"


def test_every_argument_of_a_public_constructor_has_its_unit():
    classes = {name: thing for name, thing in public().items() if tables.fields_of(thing) is None}
    found = {name: arguments for name, thing in classes.items() if (arguments := tables.arguments_of(thing))}
    assert len(found) > 15
    missing = [f"{name}({key})" for name, rows in found.items() for key, (_, unit, _) in rows.items() if not unit]
    assert not missing, f"the class's docstring must say the unit after the name, `h` (s), of {', '.join(missing)}"


@pytest.mark.parametrize(
    ("kind", "said", "unit", "meaning"),
    [
        ("float", "Rate of the gap: negative, approaching (m/s).", "m/s", "Rate of the gap: negative, approaching."),
        ("float", "(kg).", "kg", ""),
        (
            "ndarray",
            "(N, 6): rotation (rad), then position (m).",
            "rad, m",
            "(N, 6): rotation (rad), then position (m).",
        ),
        ("tuple of float", "Viscous (N s/m or N m s/rad).", "N s/m or N m s/rad", "Viscous."),
        ("float, ≥ 0", "Coulomb's coefficient (-).", "-", "Coulomb's coefficient."),
        ("float", "Mass of the (dry) body.", "", "Mass of the (dry) body."),
        ("str", "Its name.", "-", "Its name."),
        ("Spring or None", "", "-", ""),
    ],
)
def test_a_unit_is_read_from_a_docstring(kind, said, unit, meaning):
    assert tables.unit_of(kind, said) == (unit, meaning)


def test_inherited_fields_bring_their_docstrings():
    assert "N m s/rad" in tables.docstrings(sd.Revolute)["damping"]
