"""What helps at the keyboard: schemas, doctor, completion, more words and fewer."""

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from softdock.cli.app import app, names
from softdock.scenarios import SCENARIOS, schema, text_of

jsonschema = pytest.importorskip("jsonschema")
schema_of = cache(schema.schema_of)


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_schema_accepts_the_scenarios_own_file_and_refuses_a_typo(name: str) -> None:
    schema, data = schema_of(name), tomllib.loads(text_of(name))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(data, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**data, "rnu": {}}, schema)


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_schema_says_what_every_key_means_and_every_number_its_unit(name: str) -> None:
    schema = schema_of(name)
    silent, bare = [], []

    def walk(part: dict[str, Any], path: str, above: frozenset[str]) -> None:
        for key, entry in part.get("properties", {}).items():
            if kind := str(entry.get("$ref", "")).rpartition("/")[2]:
                if kind not in above:
                    walk(schema["$defs"][kind], f"{path}{key}.", above | {kind})
                continue
            if not entry.get("description"):
                silent.append(path + key)
            kinds = [entry, *entry.get("anyOf", ()), *entry.get("prefixItems", ())]
            if any(kind.get("type") == "number" for kind in kinds) and "x-unit" not in entry:
                bare.append(path + key)

    walk(schema, "", frozenset())
    assert silent == [] and bare == []


def test_units_are_those_of_the_keys() -> None:
    parts = schema_of("servicing")["$defs"]
    units = {key: entry.get("x-unit") for key, entry in parts["Plan"]["properties"].items()}
    assert units["hold"] == units["near"] == units["outer"] == "m" and units["speed"] == "m/s"
    assert units["cone"] == "rad" and units["carry"] == "s" and units["way"] is None
    assert parts["RunSettings"]["properties"]["h"]["description"] == "Time step (s)."
    assert parts["Body"]["properties"]["mass"]["x-unit"] == "kg"
    assert "rpy" not in parts["Arm"]["properties"]["grip"]["default"]


def test_a_new_file_names_the_schema_that_lies_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    assert CliRunner().invoke(app, ["new", "capture", str(file), "--schema"]).exit_code == 0
    first = file.read_text(encoding="utf-8").splitlines()[0]
    named = json.loads((tmp_path / first.removeprefix("#:schema ")).read_text(encoding="utf-8"))
    jsonschema.validate(tomllib.loads(file.read_text(encoding="utf-8")), named)
    (tmp_path / "other.schema.json").touch()
    refused = CliRunner().invoke(app, ["new", "capture", str(tmp_path / "other.toml"), "--schema"])
    assert refused.exit_code == 2 and not (tmp_path / "other.toml").exists()


def test_the_commands() -> None:
    done = CliRunner().invoke(app, ["schema", "iss-docking"])
    assert done.exit_code == 0 and json.loads(done.stdout)["title"] == "softdock scenario iss-docking"
    assert CliRunner().invoke(app, ["schema", "capture-me"]).exit_code == 2
    doctor = CliRunner().invoke(app, ["doctor"])
    assert doctor.exit_code == 0, doctor.stdout
    for word in ("numba", "cache", "Chromium", "[video]"):
        assert word in doctor.stdout
    assert names("iss") == ["iss-docking"]
    assert "--install-completion" in CliRunner().invoke(app, ["--help"]).stdout


def test_more_words_and_fewer(tmp_path: Path) -> None:
    change = ["--set", "run.duration=0.1", "--no-figures", "--out"]
    loud = CliRunner().invoke(app, ["-v", "run", "iss-docking", *change, str(tmp_path / "a")])
    assert "# time steps taken" in loud.stdout
    quiet = CliRunner().invoke(app, ["-q", "run", "iss-docking", *change, str(tmp_path / "b")])
    assert quiet.exit_code == 0 and quiet.stderr == "" and "# time" not in quiet.stdout
