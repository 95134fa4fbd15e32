"""Delay before a laboratory is built: critical delay and apparent restitution, theory beside simulation."""

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from softdock.facility import one_axis
from softdock.facility.theory import apparent_restitution, approximate_critical_delay, critical_delay
from softdock.figures.look import COLORS, INK, charts, legend

FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Of the stiffness."""
DELAYS = (0.0, 0.005, 0.01, 0.02, 0.03, 0.04)
"""(s)."""
LEAST, MOST = 1e-6, 1e9
"""Of every number that is given, in its unit."""
SLOWEST = 1e-5
"""Radians of the contact's swing in a period."""
Progress = Callable[[str, float], None]


class CriticalRow(NamedTuple):
    """Of one stiffness."""

    stiffness: float
    """(N/m)."""
    wall: float
    """Critical delay against a wall (s)."""
    servicer: float
    """Against the servicer (s)."""
    approximate: float
    """(b/k)(1 + m_t/m_s) (s)."""
    simulated: float | None
    """Of the sampled loop, with half a period added; None if it is too near the period to be found (s)."""


class RestitutionRow(NamedTuple):
    """Of one delay."""

    delay: float
    """(s)."""
    theory: float
    """e_app / e (-)."""
    simulated: float
    """(-)."""
    led: float
    """With a lead of the delay (-)."""


class DelayStudy(NamedTuple):
    """Of one laboratory."""

    given: dict[str, float]
    critical: list[CriticalRow]
    restitution: list[RestitutionRow]
    orbit: float
    """Restitution without any delay (-)."""


def study_delay(
    *, mass: float, servicer: float, stiffness: float, viscosity: float, damping: float = 0.0, speed: float = 0.03,
    period: float = 1e-3, progress: Progress = lambda what, share: None,
) -> DelayStudy:  # fmt: skip
    """An emulated `mass` (kg) against a real `servicer` (kg), with a linear contact."""
    given = {
        "target mass (kg)": mass, "servicer mass (kg)": servicer, "stiffness (N/m)": stiffness,
        "viscosity (N s/m)": viscosity, "damping (s/m)": damping, "speed (m/s)": speed, "period (s)": period,
    }  # fmt: skip
    for name, value in given.items():
        least = 0.0 if "viscosity" in name or "damping" in name else LEAST
        if not least <= value <= MOST:
            raise ValueError(f"{name.rpartition(' (')[0]}: {value:g} must be from {least:g} to {MOST:g}")
    swing = math.sqrt(stiffness * (1 / mass + 1 / servicer))
    if period * swing > 0.3:
        raise ValueError(f"a period of {period:g} s does not resolve the contact; a tenth of it would")
    if period * swing < SLOWEST:
        raise ValueError(
            f"a contact of {1 / swing:.3g} s is too slow for a period of {period:g} s: more than 10⁵ of them"
        )
    steps = iter(_shares(len(FACTORS) + len(DELAYS)))
    critical = []
    for factor in FACTORS:
        progress("critical delay", next(steps))
        critical.append(_critical(mass, servicer, factor * stiffness, viscosity, period))
    touch = {
        "mass": mass, "servicer": servicer, "stiffness": stiffness, "viscosity": viscosity, "damping": damping,
        "speed": speed, "period": period,
    }  # fmt: skip
    orbit = one_axis.impact(None, **touch).restitution
    rows = []
    for delay in DELAYS:
        progress("restitution", next(steps))
        late, led = (one_axis.impact(delay, **touch, lead=lead).restitution / orbit for lead in (0.0, delay))
        rows.append(RestitutionRow(delay, apparent_restitution(delay, stiffness, mass, servicer), late, led))
    return DelayStudy(given, critical, rows, orbit)


def _shares(count: int) -> Iterator[float]:
    return (k / count for k in range(count))


def _critical(mass: float, servicer: float, stiffness: float, viscosity: float, period: float) -> CriticalRow:
    wall = critical_delay(mass, stiffness, viscosity).delay
    real = critical_delay(mass, stiffness, viscosity, servicer).delay
    about = approximate_critical_delay(mass, stiffness, viscosity, servicer)
    simulated = None
    if real < math.inf and real > 3 * period:
        simulated = 0.5 * period + one_axis.crossing(
            mass=mass, stiffness=stiffness, viscosity=viscosity, servicer=servicer, period=period,
            near=real - 0.5 * period,
        )  # fmt: skip
    return CriticalRow(stiffness, wall, real, about, simulated)


def told(study: DelayStudy) -> dict[str, Any]:
    """As JSON has it."""
    return {
        "given": study.given,
        "restitution_in_orbit": study.orbit,
        "critical_delay": [row._asdict() for row in study.critical],
        "apparent_restitution": [row._asdict() for row in study.restitution],
    }


def table(study: DelayStudy) -> str:
    """For a terminal."""
    lines = [f"{'stiffness (N/m)':>16}{'wall (ms)':>12}{'servicer (ms)':>15}{'about (ms)':>12}{'simulated (ms)':>16}"]
    for row in study.critical:
        found = "–" if row.simulated is None else f"{1e3 * row.simulated:.3f}"
        line = f"{row.stiffness:>16g}{1e3 * row.wall:>12.3f}{1e3 * row.servicer:>15.3f}{1e3 * row.approximate:>12.3f}"
        lines.append(line + f"{found:>16}")
    lines += ["", f"{'delay (ms)':>16}{'e_app/e':>12}{'simulated':>15}{'with lead':>12}"]
    lines += [f"{1e3 * r.delay:>16g}{r.theory:>12.4f}{r.simulated:>15.4f}{r.led:>12.4f}" for r in study.restitution]
    return "\n".join(lines)


def drawn(study: DelayStudy) -> Figure:
    """Both laws, as lines, and what was simulated, as points."""
    mass, servicer = study.given["target mass (kg)"], study.given["servicer mass (kg)"]
    viscosity, stiffness = study.given["viscosity (N s/m)"], study.given["stiffness (N/m)"]
    figure, (left, right) = charts(
        f"An emulated {mass:g} kg against a real {servicer:g} kg",
        "Lines: theory. Points: a sampled loop in softdock's mechanics, half a period added.",
        ["critical delay (ms)", "restitution, of orbit's (-)"],
        ["contact stiffness (N/m)", "delay (ms)"],
    )
    span = [stiffness * 2 ** (k / 8 - 2) for k in range(33)]
    left.loglog(span, [1e3 * critical_delay(mass, k, viscosity, servicer).delay for k in span], color=COLORS[0],
                label="servicer")  # fmt: skip
    left.loglog(span, [1e3 * critical_delay(mass, k, viscosity).delay for k in span], color=INK, linewidth=1.0,
                label="a wall")  # fmt: skip
    points = [(row.stiffness, 1e3 * row.simulated) for row in study.critical if row.simulated is not None]
    left.plot(*zip(*points, strict=True), "o", color=COLORS[1], label="simulated") if points else None
    left.set_xticks([row.stiffness for row in study.critical], [f"{row.stiffness:g}" for row in study.critical])
    left.xaxis.set_minor_locator(NullLocator())
    late = [1e3 * row.delay for row in study.restitution]
    right.plot(late, [row.theory for row in study.restitution], color=COLORS[0], label="theory")
    right.plot(late, [row.simulated for row in study.restitution], "o", color=COLORS[1], label="simulated")
    right.plot(late, [row.led for row in study.restitution], "s", color=COLORS[2], label="with lead")
    legend(left)
    legend(right)
    return figure
