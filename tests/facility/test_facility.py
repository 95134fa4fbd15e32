"""The two-arm laboratory: laws of delay, emulation beside what it emulates, and what is refused."""

import math
import warnings

import numpy as np
import pytest

from softdock.dynamics import Dynamics
from softdock.facility import one_axis
from softdock.facility.emulation import Emulation
from softdock.facility.theory import apparent_restitution, approximate_critical_delay, critical_delay
from softdock.scenarios.loading import load
from softdock.scenarios.runner import Runner

PLAIN = {"mass": 60.0, "stiffness": 1e3, "viscosity": 20.0}
PERFECT = [
    "client.model=sawyer", "client.friction=0.0", "sensor.filter=0.0", "sensor.noise=[0.0, 0.0]", "sensor.gate=0.0",
    "sensor.bias=[0.0, 0.0, 0.0, 0.0, 0.0, 0.0]", "sensor.mass_error=0.0", "emulator.delay=0.0",
    "sensor.inertia=encoders",
]  # fmt: skip


def test_critical_delay_is_where_the_characteristic_root_crosses() -> None:
    """19.956 ms; for a real servicer, a root of s² + (bs + k)(1/m_s + e^(−sh)/m_t) is imaginary there."""
    found = critical_delay(60.0, 1e3, 20.0)
    assert found.delay == pytest.approx(19.956e-3, abs=1e-6)
    for servicer in (30.0, 60.0, 200.0, 1e9):
        h, w = critical_delay(60.0, 1e3, 20.0, servicer)
        s = 1j * w
        assert abs(s * s + (20.0 * s + 1e3) * (1 / servicer + np.exp(-s * h) / 60.0)) < 1e-9
        assert h == pytest.approx(approximate_critical_delay(60.0, 1e3, 20.0, servicer), rel=0.02)
    assert critical_delay(60.0, 1e3, 20.0, 1e9).delay == pytest.approx(found.delay, rel=1e-6)


@pytest.mark.parametrize("servicer", [math.inf, 60.0])
def test_the_sampled_loop_crosses_half_a_period_before(servicer: float) -> None:
    period, h = 1e-3, critical_delay(60.0, 1e3, 20.0, servicer).delay
    near = h - period / 2
    assert one_axis.crossing(**PLAIN, servicer=servicer, period=period, near=near) == pytest.approx(near, abs=0.05e-3)


def test_apparent_restitution_and_what_a_lead_restores() -> None:
    """e_app/e = exp(½ π ω h μ/m_t) within a percentage point up to 40 ms; led, within 0.3 % of orbit's."""
    given = {"mass": 60.0, "servicer": 60.0, "stiffness": 1e3, "damping": 3.0}
    orbit = one_axis.impact(None, **given)
    for delay in (0.01, 0.04):
        late, led = one_axis.impact(delay, **given), one_axis.impact(delay, **given, lead=delay)
        law = apparent_restitution(delay, 1e3, 60.0, 60.0)
        assert late.restitution / orbit.restitution == pytest.approx(law, abs=0.01)
        assert led.restitution == pytest.approx(orbit.restitution, rel=0.003)
        assert led.impulse == pytest.approx(orbit.impulse, rel=0.002) and abs(late.momentum_error) < 1e-12


def run(*changes: str) -> dict[str, object]:
    return Runner(load("facility", list(changes))).run()


def test_perfect_sensors_show_what_the_ideal_ground_shows() -> None:
    metrics = run(*PERFECT)
    assert metrics["outcome"] == "touched"
    errors = metrics["emulation_error"]
    assert abs(errors["impulse"]) < 0.003 and errors["velocity"] < 0.005 and errors["rates"] < 0.005
    assert abs(metrics["energy_made_by_delay"]) < 1e-4 * 0.5 * 60 * 0.03**2 * 10
    assert metrics["mount_error"]["impulse"] > 0.2  # a planar bearing is not orbit


def test_an_emulated_base_shows_orbit_also_with_time_stretched() -> None:
    metrics = run(*PERFECT, "mount=emulated", "stretch=1.5", "run.duration=1.2")
    errors = metrics["emulation_error"]
    assert metrics["mount_error"]["impulse"] == 0.0
    assert abs(errors["impulse"]) < 0.01 and abs(errors["peak_force"]) < 0.01
    assert errors["velocity"] < 0.02 and errors["rates"] < 0.02


SHORT = [
    "experiment=grasp", "hand.approach=0.5", "hand.closing=1.5", "hand.stopping=0.3", "hand.standoff=0.05",
    "run.duration=2.6",
]  # fmt: skip


def test_a_grasp_is_emulated_as_it_ideally_is_and_momentum_is_kept_in_orbit() -> None:
    """Fingers close by contact and friction; once its base is released, nothing outside acts on what floats."""
    runner = Runner(load("facility", [*PERFECT, *SHORT]))
    metrics = runner.run()
    assert metrics["outcome"] == "grasped" and all(metrics[world]["held"] for world in ("orbit", "ideal_ground"))
    errors = metrics["emulation_error"]
    assert abs(errors["impulse"]) < 0.01 and abs(errors["peak_force"]) < 0.01
    assert errors["velocity"] < 0.005 and errors["rates"] < 0.005
    record = runner.scenario._free(runner.simulation)[0]["orbit"]  # type: ignore[attr-defined]
    first, last = (record.dynamics.balance(*record.state[k]) for k in (501, -1))
    size = 60.0 * 0.03
    assert np.linalg.norm(last.momentum - first.momentum) < 1e-10 * size
    assert np.linalg.norm(last.angular_momentum - first.angular_momentum) < 1e-10 * size


def test_a_base_whose_loop_is_too_fast_is_stopped() -> None:
    metrics = run(*SHORT, "mount=emulated", "base.bandwidth_hz=30.0")
    assert metrics["outcome"] == "unstable" and "the base's loop has made" in metrics["stopped"]["reason"]


def test_a_laboratory_that_is_well_run() -> None:
    """10 ms delay, 10 ms filter, lead, noise, bias, 2 g too much, the other arm model, friction: as the file has it."""
    metrics = run("run.seed=7")
    errors = metrics["emulation_error"]
    assert abs(errors["impulse"]) < 0.01 and abs(errors["peak_force"]) < 0.01
    assert errors["velocity"] < 0.04 and errors["rates"] < 0.04
    assert metrics["tracking_error"]["position"] < 0.5e-3 and metrics["tracking_error"]["angle"] < np.radians(0.2)
    assert {"theory", "total_delay", "margin"} == set(metrics["critical_delay"])
    assert all(0 < margin <= 1 for margin in metrics["joint_margins"].values())


def test_a_loop_that_makes_energy_is_stopped_and_saved() -> None:
    runner = Runner(load("facility", ["compensation=none", "emulator.delay=0.15", "contact.stiffness=4000.0"]))
    metrics = runner.run()
    assert metrics["outcome"] == "unstable" and 0.2 < metrics["stopped"]["time"] < 1.2
    emulation = runner.simulation.controllers[0]
    assert isinstance(emulation, Emulation) and len(emulation.record.t) == 1200
    assert any(event["kind"] == "emulation stopped" for event in runner.simulation.events)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("mockup.mass=12.0", r"12 kg at 0.1 m need \d+% of the torque of joint 'right_l\d'"),
        ("client.position=[1.6, 0.0, 0.4]", "cannot hold the target"),
        ("client.posture=[0.0, 0.0]", "2 joint values for arm 'sawyer', which has 7"),
        ("target.velocity=[0.0, 0.9, 0.0]", "leaves the arm's reach|would pass its limit"),
        ("mount=magnetic", "mount"),
        ("hand.standoff=0.03", "touches the bar at the start"),
        ("hand.approach=1e9", "hand.approach"),
        ("base.bandwidth_hz=1e4", "more than 159 Hz"),
        ("servicer.posture=[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]", "servicer: at t = "),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(change: str, says: str) -> None:
    with pytest.raises(ValueError, match=says) as caught:
        grasps = ["experiment=grasp"] if change.startswith(("hand", "servicer")) else []
        scenario = load("facility", [*grasps, change])
        scenario.simulation(Dynamics(scenario.world))
    assert len(str(caught.value)) < 300 and "\n" not in str(caught.value)


def test_a_delay_between_periods_is_rounded_and_said() -> None:
    scenario = load("facility", ["emulator.delay=0.0103"])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert scenario.settings().delay == pytest.approx(0.010)  # type: ignore[attr-defined]
    assert "no multiple of the period; 0.01 s is taken" in str(caught[0].message)
