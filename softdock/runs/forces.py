"""What was pushing at recorded rows: actuators and compliant contacts, by the core's own laws from the rows' states."""

import numpy as np

from softdock.dynamics import Dynamics, Trajectory
from softdock.dynamics.latch_loads import Hold
from softdock.dynamics.loads import all_contacts, loads_of
from softdock.runs.ledger import MODAL, Column, unit_of

_FORCE = {"m": "N", "rad": "N m", MODAL: "kg^0.5 m/s²"}


def actuator_columns(dynamics: Dynamics, rows: Trajectory, commands: np.ndarray) -> dict[str, Column]:
    """t, and of every velocity what actuators did along it: the command at the row (nv), and what servos add to it at
    the row's state."""
    forces = dynamics.actuator_forces(rows.q, rows.v, commands)
    columns: dict[str, Column] = {"t": (rows.t, "s")}
    for k, name in enumerate(dynamics.layout.names()[1]):
        columns[name] = (forces[:, k], _FORCE[unit_of(dynamics, name)])
    return columns


def contact_columns(dynamics: Dynamics, rows: Trajectory, locked: np.ndarray) -> dict[str, Column]:
    """A line for every compliant contact that pushes at a row (and, if loads were asked for, located one that rests):
    when, which, how deep, where, along what normal and with what force on its body a. Contacts that are `locked` at a
    row (rows, contacts) by engaged welds do not push."""
    found = all_contacts(dynamics, rows.q, rows.v, rows.eased, rows.pressed, locked)
    order = np.argsort(found.row, kind="stable")
    found = type(found)(*(x[order] for x in found))
    vectors = {"normal": (found.normal, "-"), "force": (found.force, "N")}
    columns: dict[str, Column] = {
        "t": (rows.t[found.row], "s"),
        "contact": (np.array(dynamics.contact_names, dtype=object)[found.contact], ""),
        "pair": (found.contact, "-"),
        "depth": (found.depth, "m"),
        "normal_force": (found.normal_force, "N"),
        **{axis: (found.point[:, k], "m") for k, axis in enumerate("xyz")},
        **{f"{name}_{a}": (x[:, k], unit) for name, (x, unit) in vectors.items() for k, a in enumerate("xyz")},
    }
    return columns


def load_columns(
    dynamics: Dynamics, rows: Trajectory, commands: np.ndarray, locked: np.ndarray, hold: Hold
) -> dict[str, Column]:
    """t, and of every joint and latch force and torque: at the origin and in the axes of the body, or of the latch's
    `frame_b`. (Contacts have a table of their own.)"""
    found = all_contacts(dynamics, rows.q, rows.v, rows.eased, rows.pressed, locked)
    loads = loads_of(dynamics, rows.q, rows.v, commands, rows.t, found, rows.pressed, rows.rubbed, hold)
    columns: dict[str, Column] = {"t": (rows.t, "s")}
    for kind, wrenches in (("joint", loads.joints), ("latch", loads.latches)):
        for name, wrench in wrenches.items():
            columns |= {f"{kind}.{name}.f{a}": (wrench.force[:, k], "N") for k, a in enumerate("xyz")}
            columns |= {f"{kind}.{name}.t{a}": (wrench.torque[:, k], "N m") for k, a in enumerate("xyz")}
    return columns
