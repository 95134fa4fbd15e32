"""A log that another engine made: MuJoCo, with joint damping and dry friction, sensor noise, 100 Hz."""

from pathlib import Path

import mujoco
import numpy as np

from softdock.arm import Excitation, SerialArm
from softdock.arm.engines import Mujoco

VISCOUS = np.array([2.0, 1.6, 1.0, 0.8, 0.4, 0.3, 0.2])
COULOMB = np.array([1.5, 2.0, 1.0, 0.8, 0.4, 0.3, 0.2])
STEPS = 10
"""Periods of the controller, 1 ms each, to a row of the log."""


def driven(
    arm: SerialArm, motion: Excitation, duration: float, noise: float = 1.0, seed: int = 0, softness: float = 4e-4
) -> np.ndarray:
    """Rows t, q, v, torque of an arm that is driven along a motion; `noise` scales that of the sensors: 1e-4 rad, 1e-3
    rad/s and 0.1 N m (0.02 N m for the last three joints); `softness` is the time constant (s) of dry friction."""
    engine, law = Mujoco(arm), Mujoco(arm)
    model, data = engine.model, engine.data
    model.opt.timestep, model.opt.integrator = 2e-4, mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    model.dof_solref[:] = softness, 1.0  # with the default, 0.02 s, light joints only have viscous friction
    model.dof_damping[:], model.dof_frictionloss[:] = VISCOUS, COULOMB
    t = np.arange(round(duration * 1000)) / 1000
    _, q, v, a = motion.samples(t)
    data.qpos, data.qvel = q[0], v[0]
    rows = []
    for k in range(len(t)):
        wanted = a[k] + 2500 * (q[k] - data.qpos) + 100 * (v[k] - data.qvel)
        friction = VISCOUS * v[k] + COULOMB * np.tanh(v[k] / 0.02)  # or light joints would stick
        torque = law.torques(data.qpos[None], data.qvel[None], wanted[None])[0] + friction
        if k % STEPS == 0:
            rows.append(np.concatenate([[t[k]], data.qpos, data.qvel, torque]))
        data.qfrc_applied = torque
        mujoco.mj_step(model, data, 5)
    table = np.array(rows)
    size = np.concatenate([[0], np.full(7, 1e-4), np.full(7, 1e-3), np.full(4, 0.1), np.full(3, 0.02)])
    return table + noise * size * np.random.default_rng(seed).normal(size=table.shape)


def write(path: Path, table: np.ndarray, kinds: tuple[str, ...] = ("q", "v", "tau")) -> Path:
    header = ",".join(["t", *(f"{kind}{k + 1}" for kind in kinds for k in range(7))])
    np.savetxt(path, table, delimiter=",", header=header, comments="", fmt="%.9g")
    return path
