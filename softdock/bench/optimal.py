"""Optimal motion of a free chaser with seven joints, rest to rest in 10 s: beside Crocoddyl on the same problem."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from softdock.bench.rows import Limit, Result, Row, Say, ratio
from softdock.bench.worlds import free_arm
from softdock.dynamics import Dynamics
from softdock.optimal import Condition, OpenLoop, Plan, Planner, RecedingHorizon, Task, at_rest, joints_at
from softdock.runs.simulation import Simulation
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
    problem.nthreads = 1  # processor time is compared, and threads that wait for each other spend it
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


def run(say: Say, *, rounds: int = 5) -> Result:
    """Cold at most 0.5 s and no slower than Crocoddyl, warm 0.05 s at 50 knots; cost within 0.5 % of its at 200;
    a step's derivatives in 10 µs, another form of a condition in 5 s; the planar station. `error` is that of the
    replayed end."""
    world = free_arm(7)
    dynamics, rows, limits = Dynamics(world), list[Row](), list[Limit]()
    for steps, order in ((50, 2), (200, 4)):
        made, solver = planner(dynamics, steps), crocoddyl_solver(world, steps, order)
        plan = made.plan()
        cold, warm, peer = _in_turn(made, plan, solver, steps, rounds if steps == 50 else 1)
        check = plan.check()
        say(f"{CASE}/{steps}: {plan!r}")
        case = f"{CASE}/{steps} knots"
        rows.append(Row(case, "softdock", "cold", 2, T / steps, None, 1e3 * cold, check.end_error))
        rows.append(Row(case, "softdock", "warm", 2, T / steps, None, 1e3 * warm, check.end_error))
        if peer is not None:
            say(f"{CASE}/{steps}: Crocoddyl effort {peer[1]:.6g}, {peer[3]} iterations; softdock {plan.effort:.6g}")
            rows.append(
                Row(case, "Crocoddyl", f"FDDP, RK{order}, cold", order, T / steps, None, 1e3 * peer[0], peer[2])
            )
        if steps == 50:
            limits.append(Limit(f"{CASE}: cold, ms at 50 knots", 1e3 * cold, 500.0))
            limits.append(Limit(f"{CASE}: warm, ms at 50 knots", 1e3 * warm, 50.0))
            limits.append(Limit(f"{CASE}: cold, of Crocoddyl's time", ratio(cold, peer[0] if peer else None), 1.0))
            limits.append(Limit(f"{CASE}: derivatives of a step, µs", 1e6 * _derivatives(dynamics, plan), 10.0))
            spent, error, without = _in_the_loop(dynamics, made, plan)
            say(f"{CASE}/{steps}: planned again {len(spent)} times; off by {error:.2g} rad, without {without:.2g}")
            rows.append(
                Row(f"{case}, at 2 Hz", "softdock", "mean", 2, T / steps, None, 1e3 * float(np.mean(spent)), error)
            )
            limits.append(Limit(f"{CASE}: planned again at 2 Hz, ms at most", 1e3 * max(spent), 500.0))
            limits.append(Limit(f"{CASE}: another form of a condition, s", _another_form(made.task), 5.0))
        else:
            off = None if peer is None else abs(plan.effort / peer[1] - 1.0)
            limits.append(Limit(f"{CASE}: effort against Crocoddyl's at 200 knots, relative", off, 0.005))
    _station(say, rows, limits, rounds)
    return Result(rows, limits)


def _in_turn(made: Planner, plan: Plan, solver: Any, steps: int, rounds: int) -> tuple[float, float, Any]:
    """Least processor time (s) of softdock, cold and warm, and of Crocoddyl with what it found, one after the other."""
    cold, warm, peer = [], [], []
    for _ in range(rounds):
        cold.append(_seconds(made.plan))
        warm.append(_seconds(lambda: made.plan(warm=plan)))
        if solver is not None:
            peer.append(crocoddyl_solved(solver, steps))
    return min(cold), min(warm), min(peer) if peer else None


def _seconds(what: Callable[[], object]) -> float:
    began = time.process_time()
    what()
    return time.process_time() - began


def _derivatives(dynamics: Dynamics, plan: Plan) -> float:
    """Of one step of a plan (s), of many."""
    q, p, u = (np.repeat(rows[:50], 20, axis=0) for rows in (plan.q, plan.motion.p, plan.commands))
    h = float(plan.motion.h[0])
    return min(_seconds(lambda: dynamics.step_derivatives(q, p, u, h)) for _ in range(5)) / len(q)


class _Timed:
    """A planner that notes the processor time (s) of its plans."""

    def __init__(self, planner: Planner) -> None:
        self._planner, self.seconds = planner, list[float]()

    def plan(self, *given: Any, **more: Any) -> Plan:
        began = time.process_time()
        plan = self._planner.plan(*given, **more)
        self.seconds.append(time.process_time() - began)
        return plan


def _in_the_loop(dynamics: Dynamics, made: Planner, plan: Plan) -> tuple[list[float], float, float]:
    """Planned again at 2 Hz from a start that is off by up to 0.03 rad, in a simulation at a quarter of the plan's
    step: processor time of each plan (s), and the error at the end (rad) with it and without."""
    q, v, _ = plan.start
    off, h, errors, timed = q.copy(), float(plan.motion.h[0]) / 4, [], _Timed(made)
    off[7:] += 0.03 * np.cos(np.arange(7.0))
    for controller in (RecedingHorizon(timed, plan, step=h), OpenLoop(plan)):  # type: ignore[arg-type]
        simulation = Simulation(dynamics, off, v, h=h, controllers=[controller])
        errors.append(float(np.abs(simulation.run(T).q[-1, 7:] - GOAL).max()))
    return timed.seconds, errors[0], errors[1]


def _another_form(task: Task) -> float:
    """To build a program with a condition whose kernel nobody has compiled yet (s)."""
    scale = float(np.random.default_rng().uniform(1.0, 2.0))
    last = task.dynamics.world.bodies[-1].name
    new = Condition("new", lambda s, goal: s.position(last)[:2] * scale - goal, (0.1, 0.2))
    other = Task(task.dynamics, task.q, task.v, duration=T, steps=task.steps, end=[*task.end, new])
    return _seconds(lambda: Planner(other))


def _station(say: Say, rows: list[Row], limits: list[Limit], rounds: int) -> None:
    """The planar station of iss-docking to PD's own end state: 110 knots, and from that plan, as the scenario does it,
    at the simulation's own step; the time of the first counts in that of the second."""
    from softdock.scenarios import load
    from softdock.scenarios.iss_docking import planned

    scenario: Any = load("iss-docking", ["control=optimal"])
    dynamics, coarse, spent = Dynamics(scenario.world), None, 0.0
    for name, how, most, times in (("110 knots", {"steps": 110}, 0.3, rounds), ("h = 0.01 s", {"h": 0.01}, 10.0, 1)):
        made = planned.planner_to_pd(scenario, dynamics, **how)
        plan = made.plan(guess=coarse)
        cold = spent + min(_seconds(partial(made.plan, guess=coarse)) for _ in range(times))
        warm = min(_seconds(partial(made.plan, warm=plan)) for _ in range(times))
        coarse, spent = plan, cold
        say(f"{CASE}/planar station, {name}: {plan!r}")
        h, case = float(plan.motion.h[0]), f"{CASE}/planar station, {name}"
        for kind, seconds in (("cold", cold), ("warm", warm)):
            rows.append(Row(case, "softdock", kind, 2, h, None, 1e3 * seconds, plan.check().end_error))
        limits.append(Limit(f"{CASE}: planar station, {name}, cold, s", cold, most))
        if times > 1:
            limits.append(Limit(f"{CASE}: planar station, {name}, warm, s", warm, 0.05))
