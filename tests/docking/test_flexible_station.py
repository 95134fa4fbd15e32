"""A station that bends: the same mass and length as the rigid rod, its first free mode where it was asked for."""

import numpy as np
import pytest

import softdock as sd
from softdock.replay.poses import _sprung
from softdock.scenarios import load


def test_flexible_station_has_its_mass_and_frequency() -> None:
    rigid, flexible = (load("iss-docking", changes).world for changes in ([], ["station.flexible=true"]))
    assert sum(b.mass for b in flexible.bodies) == pytest.approx(sum(b.mass for b in rigid.bodies), rel=1e-13)
    trusses = tuple(b for b in flexible.bodies if b.name == "iss" or b.name.startswith(("starboard", "port side")))
    dynamics = sd.Dynamics(sd.World(bodies=trusses))
    found = dynamics.modes()
    assert found.frequency[0] == pytest.approx(0.15, rel=1e-3)
    assert found.rigid == 6
    inertia = dynamics.mass_matrix(dynamics.state()[0])[2, 2]
    assert inertia == pytest.approx(344_378.0 * 73.0**2 / 12, rel=1e-12)
    assert len(_sprung(dynamics)) == 8
    assert np.all([rest == 0.0 for _, rest in _sprung(dynamics)])


def test_a_planned_docking_is_of_a_rigid_station() -> None:
    with pytest.raises(ValueError, match=r"station\.flexible: dockings are planned with a rigid station"):
        load("iss-docking", ["station.flexible=true", 'control="optimal"'])
