"""A sample of studies/contact_truth.py: impacts and rest at several points of random scenes."""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "studies"))
from contact_truth import IMPACT, REST, rested, scene, struck


def test_impacts_make_no_energy_and_keep_to_their_cones():
    rng = np.random.default_rng(11)
    for k in range(300):
        found = struck(scene(rng, rough=k % 2 == 1))
        assert {name: found[name] for name, bound in IMPACT.items() if found[name] > bound} == {}


def test_rest_obeys_signorini_and_coulomb():
    """In 99.9 % of scenes, says the study: of 300 at most one does not."""
    rng = np.random.default_rng(12)
    found = [rested(scene(rng, rough=True)) for _ in range(300)]
    assert sum(any(f[name] > bound for name, bound in REST.items()) for f in found) <= 1
