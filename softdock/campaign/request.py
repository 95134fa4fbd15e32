"""From a scenario's name or file, or a campaign's file, to a campaign that can be performed."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from softdock.campaign.plan import MOST_TRIED, Campaign
from softdock.campaign.sources import changed, code_of, digests, noted, softdock_of_now
from softdock.scenarios.loading import draft, scenario_of
from softdock.scenarios.settings import SettingError
from softdock.world.files import blaming, parse_toml, read_bytes


def campaign_of(
    source: str, *, vary: Sequence[str] | Mapping[str, str] = (), changes: Sequence[str] = (), **options: Any
) -> Campaign:
    """The campaign of a scenario's name or file, or of a campaign's file, checked: every quantity at the ends of
    its distribution makes a valid scenario. ValueError with a one-line message if not.

    `vary` is a mapping or a list of `key=distribution`; `changes` are as of `softdock run --set`.
    """
    given = {key: value for key, value in options.items() if value is not None}
    each = list(vary.items()) if isinstance(vary, Mapping) else [_split(item) for item in vary]
    wanted = dict(each)
    if twice := [key for k, (key, _) in enumerate(each) if key in dict(each[:k])]:
        raise SettingError(f"--vary {twice[0]}: is given twice")
    content = _content(source)
    if content is None:
        content = _scenario(source, changes)
    elif changes:
        raise SettingError("--set: a campaign's file has its own scenario; change it there")
    content |= given
    content["vary"] = {**content.get("vary", {}), **wanted}
    if not (content["vary"] or content.get("given")):
        raise ValueError(f"{source}: nothing varies; give --vary 'key=distribution'")
    with blaming(source, content):
        try:
            campaign = Campaign.model_validate(content)
        except ValidationError:
            raise
        except ValueError as error:
            raise ValueError(f"{source}: {error}") from None
    refuse_changed(campaign, source)
    return _with_sources(campaign, source)


def refuse_changed(campaign: Campaign, where: str) -> None:
    """ValueError if a file that the campaign reads, or softdock, is no longer what its plan says."""
    if campaign.softdock and campaign.softdock != softdock_of_now():
        now = softdock_of_now()
        raise ValueError(f"{where}: is of softdock {campaign.softdock}, this is {now}; its rows might be others")
    if (name := changed(campaign.files, Path(campaign.folder))) is not None:
        raise ValueError(f"{where}: {name} is not the file that it was when the campaign began")


def _with_sources(campaign: Campaign, source: str) -> Campaign:
    """Checked, and with what its rows depend on: softdock, and the files that are read to build it."""
    folder = Path(campaign.folder)
    with noted() as files:
        _refuse_invalid(campaign, source)
    files.update(code_of(campaign.scenario["scenario"], folder))
    return campaign.altered(softdock=softdock_of_now(), files={**campaign.files, **digests(files, folder)})


def _content(source: str) -> dict[str, Any] | None:
    """The `[campaign]` table of a file that has one, its scenario as tables."""
    path = Path(source)
    if path.suffix != ".toml" or not os.path.isfile(path):
        return None
    with blaming(source):
        content = parse_toml(read_bytes(path).decode()).get("campaign")  # its choices may be long
    if not isinstance(content, dict):
        return None
    changes = content.pop("set", [])
    if not (isinstance(changes, list) and all(isinstance(change, str) for change in changes)):
        raise ValueError(f'{source}: set: must be a list of texts, such as ["run.h=0.005"]')
    if not isinstance(content.get("vary", {}), dict):
        raise ValueError(f"{source}: vary: must be a table of keys with their distributions")
    if isinstance(content.get("scenario"), str):
        name = content["scenario"]
        beside = path.parent / name
        content |= _scenario(str(beside) if beside.suffix in (".toml", ".py") else name, changes)
    return content


def _scenario(source: str, changes: Sequence[str]) -> dict[str, Any]:
    """A scenario's tables, and where its files are, wherever one is later."""
    data, folder = draft(source, changes)
    return {"scenario": data, "folder": str(folder.resolve()) if Path(source).exists() else ""}


def _split(item: str) -> tuple[str, str]:
    key, equals, text = item.partition("=")
    if not equals:
        raise SettingError(f"--vary {item}: expected key=distribution, such as arm.kp=normal(10, 1)")
    return key.strip(), text.strip()


def _refuse_invalid(campaign: Campaign, source: str) -> None:
    """ValueError if a quantity can leave the range of its key, or if the key is none."""
    scenario_of(dict(campaign.scenario), source, Path(campaign.folder))
    if campaign.given:
        for index in range(campaign.length):
            campaign.built(campaign.values(index), where=f"draws[{index}]")
        return
    middle = campaign.values_at(np.full(sum(q.distribution.size for q in campaign.quantities), 0.5))
    for k, quantity in enumerate(campaign.quantities):
        extremes = quantity.distribution.extremes()
        for value in extremes[:: 1 + len(extremes) // MOST_TRIED]:
            values = [*middle[:k], value, *middle[k + 1 :]]
            what = f"--vary {', '.join(quantity.keys)}={quantity.distribution.text}"
            try:
                campaign.built(values, where=what)
            except SettingError as error:
                raise ValueError(f"{what}: {error}") from None
            except ValueError as error:
                reason = str(error).removeprefix(f"{what}: ")
                can = "" if "unknown key" in reason else f"can give {_short(value)}, which cannot be: "
                raise ValueError(f"{what}: {can}{reason}") from None


def _short(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_short, value))}]"
    return f"{value:.6g}" if isinstance(value, float) else repr(value)
