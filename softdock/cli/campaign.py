"""`softdock campaign`: many runs, and what they say together."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from softdock.cli.terminal import counted, say

if TYPE_CHECKING:
    from softdock.campaign import Campaign, Tally
    from softdock.campaign.runs import Progress

RUN_FAILED, WRONG_REQUEST, INTERRUPTED = 1, 2, 130


def campaign(
    scenario: Annotated[
        str | None, typer.Argument(metavar="NAME|FILE", help="A scenario, or a campaign's TOML file.")
    ] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=DIST",
            help="normal(m, sd), truncnormal(m, sd, lo, hi), uniform(lo, hi), "
            "lognormal(median, s), choice(…), steps(lo, hi, n). As often as needed.",
        ),
    ] = None,
    changes: Annotated[list[str] | None, typer.Option("--set", metavar="KEY.PATH=VALUE", help="Change a key.")] = None,
    runs: Annotated[int | None, typer.Option(min=1, help="How many.")] = None,
    design: Annotated[
        str | None, typer.Option(help="monte-carlo, latin-hypercube, sobol, saltelli or grid [default: monte-carlo].")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Of all draws [default: 0].")] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Where to [default: campaigns/NAME].")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what is in DIR.")] = False,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes [default: one a core].")] = None,
    time_limit: Annotated[float | None, typer.Option(metavar="S", help="Longest time of a run (s).")] = None,
    memory_limit: Annotated[float | None, typer.Option(metavar="MB", help="Most memory a run may take.")] = None,
    keep: Annotated[
        str, typer.Option(metavar="RULE", help="Replays to keep: none, all, failures, 'worst N METRIC' (or -METRIC).")
    ] = "none",
    rerun: Annotated[int | None, typer.Option(metavar="INDEX", help="Do one run of DIR again, in full.")] = None,
    report: Annotated[Path | None, typer.Option(metavar="DIR", help="Make the page of a campaign again.")] = None,
    minimise: Annotated[
        str | None, typer.Option(metavar="METRIC", help="Search for its least (-METRIC: most).")
    ] = None,
    falsify: Annotated[
        str | None, typer.Option(metavar="OUTCOME", help="Search for a run that ends otherwise.")
    ] = None,
    engine: Annotated[str, typer.Option(help="local, or ray.")] = "local",
    address: Annotated[str | None, typer.Option(help="Of a Ray cluster that runs already.")] = None,
) -> None:
    """Run a scenario many times with dispersions.

    Example: softdock campaign iss-docking --runs 500 --vary 'payload.mass=uniform(90, 110)'
    """
    from softdock.campaign import CampaignError, campaign_of
    from softdock.campaign.report import write_report
    from softdock.campaign.runs import retention
    from softdock.campaign.store import PLAN

    try:
        if report:
            print(write_report(report))
            return
        if rerun is not None:
            _rerun(out, rerun)
            return
        if scenario is None and not (resume and out):
            raise CampaignError("give a scenario, or --resume with --out DIR")
        source = scenario or str(Path(str(out)) / PLAN)
        wanted = campaign_of(
            source, vary=vary or [], changes=changes or [], runs=runs, design=design, seed=seed, time_limit=time_limit,
            memory_limit=memory_limit, minimise=minimise, falsify=falsify,
        )  # fmt: skip
        retention(keep)
        path = out or Path("campaigns") / Path(source).stem
        with counted(wanted.length) as progress:
            tally = _run(wanted, path, resume, workers, engine, address, progress, keep)
        print(f"{path}\n{_summary(tally)}")
        if wanted.searched:
            from softdock.campaign.search import found_in

            print(found_in(path, wanted))
        try:
            _keep(path, keep)
        finally:
            print(f"Report: {write_report(path)}")
    except OSError as error:
        _stop(f"cannot be written any more: {error}; --resume goes on when there is room", RUN_FAILED)
    except ValueError as error:
        _stop(error, WRONG_REQUEST)
    except KeyboardInterrupt:
        _stop("interrupted; what is done is kept, and --resume goes on", INTERRUPTED)


def _run(
    wanted: "Campaign",
    path: Path,
    resume: bool,
    workers: int | None,
    engine: str,
    address: str | None,
    progress: "Progress",
    keep: str,
) -> "Tally":
    from softdock.campaign import run_campaign

    return run_campaign(
        wanted, path, resume=resume, workers=workers, engine=engine, address=address, progress=progress, keep=keep
    )


def _summary(tally: "Tally") -> str:
    width = max(len(str(tally.total)), 5)
    return "\n".join(f"  {count:>{width}}  {outcome}" for outcome, count in tally.outcomes.most_common())


def _keep(path: Path, rule: str) -> None:
    from softdock.campaign import CampaignError
    from softdock.campaign.runs import chosen, rerun

    for index in chosen(path, rule):
        if (path / "runs" / f"{index:07d}").exists():
            continue
        try:
            rerun(path, index)
        except CampaignError as error:
            say(f"warning: {error}")


def _rerun(out: Path | None, index: int) -> None:
    from softdock.campaign import CampaignError
    from softdock.campaign import rerun as again
    from softdock.cli.terminal import summary
    from softdock.runs.recorder import RunFolderError
    from softdock.runs.recording import read_run

    if out is None:
        raise CampaignError("--rerun: say of which campaign, with --out DIR")
    try:
        place, outcome = again(out, index)
    except RunFolderError as error:
        raise CampaignError(str(error)) from None
    print(f"{place}\n{summary(outcome.metrics, read_run(place).measures)}\nReplay: softdock replay {place}")


def _stop(message: object, status: int) -> NoReturn:
    say(str(message))
    raise typer.Exit(status)
