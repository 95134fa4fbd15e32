"""Optimal motion of a free chaser with seven joints, rest to rest in 10 s: beside Crocoddyl on the same problem."""

import time
from typing import Any

import numpy as np

from softdock.bench.rows import Limit, Result, Row, Say, ratio
from softdock.bench.worlds import free_arm
from softdock.dynamics import Dynamics
from softdock.optimal import Plan, Planner, Task, at_rest, joints_at
from softdock.world import WORLD, Free, World

CASE = "optimal-7"
T = 10.0
START = np.array([0.3, 0.8, -0.2, 1.2, 0.1, 0.6, 0.2])
GOAL = START + np.array([-0.4, 0.3, 0.3, -0.5, 0.3, -0.3, 0.2])
HEAVY = 1e7
"""Of the squared error at the end, where Crocoddyl's solver has no constraint (1/rad², s²/rad²)."""


def planner(dynamics: Dynamics, steps: int) -> Planner:
    joints = [body.name for body in dynamics.world.bodies[1:]]
    q, v = dynamics.state()
    q[7:] = START
    end = [joints_at(dict(zip(joints, GOAL.tolist(), strict=True))), at_rest(*joints)]
    return Planner(Task(dynamics, q, v, duration=T, steps=steps, end=end))


def crocoddyl_solver(world: World, steps: int, order: int) -> Any:
    """FDDP with Runge-Kutta steps of order 2 or 4, of the same cost; None if Crocoddyl is not installed."""
    try:
        import crocoddyl
        import pinocchio as pin
    except ImportError:
        return None
    model, numbers = pin.Model(), {WORLD: 0}
    for body in world.bodies:
        free = isinstance(body.joint, Free)
        joint = pin.JointModelFreeFlyer() if free else pin.JointModelRevoluteUnaligned(np.array(body.joint.axis))  # type: ignore[union-attr]
        place = pin.SE3(body.placement.rotation, np.array(body.placement.position))
        number = model.addJoint(numbers[body.parent], joint, place, "root_joint" if free else body.name)
        inertia = pin.Inertia(body.mass, np.array(body.center), np.array(body.inertia))
        model.appendBodyToJoint(number, inertia, pin.SE3.Identity())
        numbers[body.name] = number
    model.gravity = pin.Motion.Zero()
    state = crocoddyl.StateMultibody(model)
    actuation = crocoddyl.ActuationModelFloatingBase(state)
    nu, x0, goal = actuation.nu, state.zero(), state.zero()
    x0[7 : model.nq], goal[7 : model.nq] = START, GOAL
    running, final = crocoddyl.CostModelSum(state, nu), crocoddyl.CostModelSum(state, nu)
    running.addCost("effort", crocoddyl.CostModelResidual(state, crocoddyl.ResidualModelControl(state, nu)), 2.0)
    only = np.concatenate([np.zeros(6), np.ones(7), np.zeros(6), np.ones(7)])
    reach = crocoddyl.ResidualModelState(state, goal, nu)
    weighed = crocoddyl.ActivationModelWeightedQuad(only)
    final.addCost("end", crocoddyl.CostModelResidual(state, weighed, reach), HEAVY)
    kind = crocoddyl.RKType.two if order == 2 else crocoddyl.RKType.four
    free_dynamics = crocoddyl.DifferentialActionModelFreeFwdDynamics
    models = [
        crocoddyl.IntegratedActionModelRK(free_dynamics(state, actuation, running), kind, T / steps),
        crocoddyl.IntegratedActionModelEuler(free_dynamics(state, actuation, final), 0.0),
    ]
    problem = crocoddyl.ShootingProblem(x0, [models[0]] * steps, models[1])
    solver = crocoddyl.SolverFDDP(problem)
    solver.th_stop = 1e-9
    return solver


def crocoddyl_solved(solver: Any, steps: int) -> tuple[float, float, float, int]:
    """Seconds, effort, error at the end (rad, rad/s) and iterations, cold."""
    x0 = solver.problem.x0
    xs, us = [x0.copy() for _ in range(steps + 1)], [np.zeros(7) for _ in range(steps)]
    began = time.process_time()
    solver.solve(xs, us, 500, False)
    seconds = time.process_time() - began
    effort = float(sum((u @ u) * T / steps for u in solver.us))
    end = solver.xs[-1]
    return seconds, effort, float(np.abs(np.concatenate([end[7:14] - GOAL, end[-7:]])).max()), int(solver.iter)


def run(say: Say, *, rounds: int = 3) -> Result:
    """Cold at most 0.5 s and no slower than Crocoddyl, warm 0.05 s at 50 knots; cost within 0.5 % of its at 200.
    `error` is that of the replayed end."""
    world = free_arm(7)
    dynamics, rows, limits = Dynamics(world), list[Row](), list[Limit]()
    for steps, order in ((50, 2), (200, 4)):
        made = planner(dynamics, steps)
        plan = made.plan()
        cold, warm = _timed(made, plan, rounds if steps == 50 else 1)
        check = plan.check()
        say(f"{CASE}/{steps}: {plan!r}")
        rows.append(Row(f"{CASE}/{steps} knots", "softdock", "cold", 2, T / steps, None, 1e3 * cold, check.end_error))
        rows.append(Row(f"{CASE}/{steps} knots", "softdock", "warm", 2, T / steps, None, 1e3 * warm, check.end_error))
        solver = crocoddyl_solver(world, steps, order)
        peer = None if solver is None else crocoddyl_solved(solver, steps)
        if peer is not None:
            say(f"{CASE}/{steps}: Crocoddyl effort {peer[1]:.6g}, {peer[3]} iterations; softdock {plan.effort:.6g}")
            case, name = f"{CASE}/{steps} knots", f"FDDP, RK{order}, cold"
            rows.append(Row(case, "Crocoddyl", name, order, T / steps, None, 1e3 * peer[0], peer[2]))
        if steps == 50:
            limits.append(Limit(f"{CASE}: cold, ms at 50 knots", 1e3 * cold, 500.0))
            limits.append(Limit(f"{CASE}: warm, ms at 50 knots", 1e3 * warm, 50.0))
            limits.append(Limit(f"{CASE}: cold, of Crocoddyl's time", ratio(cold, peer[0] if peer else None), 1.0))
        else:
            off = None if peer is None else abs(plan.effort / peer[1] - 1.0)
            limits.append(Limit(f"{CASE}: effort against Crocoddyl's at 200 knots, relative", off, 0.005))
    return Result(rows, limits)


def _timed(made: Planner, plan: Plan, rounds: int) -> tuple[float, float]:
    """Least processor time (s), cold and warm."""
    best = [np.inf, np.inf]
    for _ in range(rounds):
        for k, warm in enumerate((None, plan)):
            began = time.process_time()
            made.plan(warm=warm)
            best[k] = min(best[k], time.process_time() - began)
    return best[0], best[1]
