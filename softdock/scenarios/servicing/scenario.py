"""Scenario 'servicing': a whole mission in one run, from 40 m to a berthed satellite (docs/scenarios/servicing.md).

`craft` has the two spacecraft, `keys` the plan and the sensors, `log` the tables; the parts and phases are those of
`softdock.mission`.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from pydantic import model_validator

from softdock import mission as ms
from softdock.dynamics import Dynamics, Trajectory
from softdock.estimation import TargetEstimator
from softdock.mission.arm import Still
from softdock.mission.conductor import Phases
from softdock.mission.flying import BaseArm, OffCourse
from softdock.mission.formation import Formation
from softdock.mission.part import Part
from softdock.mission.phase import Failure
from softdock.mission.strength import carrying
from softdock.planning import minimum_acceleration
from softdock.planning.flight import Station, Watching, safe_glide
from softdock.planning.plan import Sample
from softdock.runs.clearance import RunClearances, clearances_of, stages_of
from softdock.runs.ledger import Columns
from softdock.runs.simulation import Simulation
from softdock.scenarios.capture.craft import (
    BAR_BODY,
    BASE,
    CAMERA,
    GRASP,
    GRIPPER,
    HANDLE_FRAME,
    JOINTS,
    TARGET,
    Servicer,
    orbit_rate,
)
from softdock.scenarios.capture.vision import Camera, Vision
from softdock.scenarios.derived import DerivedScenario
from softdock.scenarios.mission import Mission
from softdock.scenarios.servicing.craft import (
    BERTH,
    PORT,
    R_BS,
    RING,
    Beside,
    Client,
    Hand,
    Jets,
    Port,
    Start,
    beside,
    facing,
    holding,
    initial_state,
    seated,
    whole_world,
)
from softdock.scenarios.servicing.keys import Beliefs, Own, Plan, Tank
from softdock.scenarios.servicing.log import Notes
from softdock.scenarios.servicing.saved import saved_state
from softdock.scenarios.servicing.units import UNITS
from softdock.sensing import Noise, raster, satellite
from softdock.world import Fixed, Pose, World
from softdock.world.describe import Described
from softdock.world.fingers import fingers_of

if TYPE_CHECKING:
    from softdock.figures import Drawing

PRESSED = 20.0
"""What an arm with servos presses the target into its port with (N)."""
NEAR = 0.1
"""Pairs of bodies that came nearer than this are told, with the least gap (m)."""
ASIDE = 0.5
"""How far beyond the keep-out sphere a glide passes it, if its end is not nearer (m)."""
BRAKING = 6.0
"""What turns in the arm's hand against its base is braked for so long (s)."""
ASTRAY, RUNAWAY = 0.1, 1.5
"""How far a joint that carries the target may be from its motion (rad; 0.03 where beliefs are 40 % wrong), and how much
faster it may turn than it is to (-)."""
LIGHTER = 0.25
"""Of the believed mass and inertia, where a target that is held is brought to a stop after a failure (-)."""
RECOGNISED, FROM_AFAR = 300.0, 100.0
"""The target's pose must be known after so long at a hold point (s); from the start, where few rays meet it, it is
approached after so long as the place where it is seen, if its pose is not known by then."""
MARGIN = 0.3
"""How much further than the keep-out sphere it leaves the target, for what it does not know of both motions (m)."""
LOOKS = 21
"""Times at which what carrying takes is looked at."""
ELBOW_FORWARD = (0.0, -1.2, 0.0, -1.8, 0.0, -1.7, 0.0)
"""The arm over the port, about (rad)."""
CLOSED = 2.0
"""The gripper may take so many times as long to close (-)."""
WIDE = 3.4
"""What the laser's mirrors sweep at the target (m)."""


class TooHeavy(Failure):
    """Joints or wheels cannot carry the target in the time that the plan gives them."""


class NoPropellant(Failure):
    """What is left of the propellant is kept for leaving."""


class NoThrust(Failure):
    """Thrusters have failed, and those that are left cannot push or turn it in every direction."""


class Parts(Servicer):
    """What the world is made from."""

    jets: Jets = Jets()
    target: Client = Client()
    gripper: Hand = Hand()
    port: Port = Port()
    start: Start = Start()
    plan: Plan = Plan()

    @model_validator(mode="after")
    def _has_its_own_arm(self) -> "Parts":
        if self.arm.urdf:
            raise ValueError("arm.urdf: 'servicing' plans for its own arm of seven joints; 'capture' takes any")
        return self

    def make_world(self) -> World:
        """Chaser and target."""
        return whole_world(
            self.chaser, self.jets, self.arm, self.target, self.port, self.start, self.gripper, self.orbit
        )

    def make_initial(self) -> dict[str, Any]:
        """The arm stowed, the target tumbling; or as a recorded run has it."""
        arm, target, orbit = self.arm, self.target, self.orbit
        if self.start.run:
            return saved_state(self.start, orbit_rate(orbit), self.plan.keep_out)
        phase, plan = self.start.phase, self.plan
        distance = {"approach": None, "inspect": plan.hold}.get(phase, plan.near)

        def held() -> Beside:
            if self.start.is_berthed:
                return holding(self.chaser, arm, target, orbit, seated(target, self.port), ELBOW_FORWARD)
            return beside(self.chaser, arm, target, orbit, plan.station)

        return initial_state(arm, target, self.start, self.gripper, orbit, distance, held)


class Servicing(Parts, DerivedScenario, Mission):
    """The mission."""

    made_from: ClassVar[type[Described]] = Parts
    goal = "berthed"
    outcomes = ("berthed", "aborted", "missed", "collided")
    units = UNITS

    vision: Vision = Vision()
    camera: Camera = Camera()
    own: Own = Own()
    beliefs: Beliefs = Beliefs()
    tank: Tank = Tank()

    def period(self) -> float:
        """Of the control (s)."""
        return 0.25

    def parts(self) -> Mapping[str, Part]:
        """Arm, pilot, own sensors, camera, tracker, gripper, locks."""
        eye = self._eye()
        made: dict[str, Part] = {} if self.own.exact else {"own": self._own()}
        return made | {
            "arm": ms.Arm(GRIPPER, encoder_noise=0.0 if self.own.exact else self.own.encoders),
            "pilot": ms.Pilot(BASE, tank=self.tank.propellant),
            "eye": eye,
            "nav": ms.TargetTracker(
                eye, HANDLE_FRAME, model=satellite() if self.vision.pose == "scan" else None,
                pointing=0.0 if self.own.exact else 2 * self.own.star, place=0.0 if self.own.exact else self.own.place,
                estimator=self._estimator(), center=(0.0, 0.0, 0.0),
            ),
            "hand": ms.Gripper(
                GRASP, kind=self.gripper.kind, closing=self.gripper.closing, mass=self.beliefs.mass,
                inertia=self.beliefs.inertia,
            ),
            "soft": ms.Lock(f"{BERTH}.soft"),
            "berth": ms.Lock(BERTH),
        }  # fmt: skip

    def _estimator(self) -> TargetEstimator:
        """Scans are so exact that what plumes do to the tumble shows: older ones contradict the newer."""
        n = orbit_rate(self.orbit)
        return (
            TargetEstimator(n, window=40.0, torque=1e-5, force=1e-5)
            if self.vision.pose == "scan"
            else TargetEstimator(n)
        )

    def _own(self) -> ms.Navigation:
        own = self.own
        return ms.Navigation(
            BASE, period=self.period(), unit=own, star=own.star, doppler=own.doppler, tachometers=own.tachometers
        )

    def _eye(self) -> ms.Camera:
        vision, camera = self.vision, self.camera
        general: dict[str, Any] = {"period": vision.period, "latency": vision.latency, "dropped": vision.dropped}
        if vision.pose == "ideal":
            noise = {"position": vision.scatter, "angle": vision.angle, "outliers": vision.outliers}
            return ms.PoseCamera(CAMERA, TARGET, of=HANDLE_FRAME, **noise, **general)
        pattern = raster(camera.rows, camera.columns, camera.field, camera.duration)
        spread = Noise(vision.noise or camera.range, vision.outliers, camera.dropout)
        return ms.LaserCamera(
            CAMERA, TARGET, surface=satellite(), pattern=pattern, noise=spread, guess=vision.start == "guess",
            zoom=WIDE, limits=(0.1, 100.0), **general,
        )  # fmt: skip

    # --- phases ----------------------------------------------------------------------------------

    def phases(self, **parts: Any) -> Phases:
        """From where it starts to berthed; if something fails before it holds the target, away from it."""
        try:
            if self.start.is_held:
                self._hold(**parts)
            elif not self.start.is_berthed:
                yield from self._capture(**parts)
            if not self.start.engaged or self.start.phase == "detumble":
                yield from self._stop(**parts)
            if not self.start.is_berthed:
                yield from self._berth(**parts)
            yield from self._release(**parts)
        except Failure as why:
            yield from self._leave(why, **parts)
            return ms.Aborted(why, "missed" if isinstance(why, ms.Missed) else "aborted")
        return ms.Success("berthed")

    def _leave(
        self, why: Failure, *, arm: ms.Arm, pilot: ms.Pilot, nav: ms.TargetTracker, hand: ms.Gripper, **others: Part
    ) -> Phases:
        """Let go of a target that is not firmly held, and away from it. With one that is held, the arm stops, the
        base floats and the main valve is closed: whatever is wrong with thrusters or wheels moves nothing any more.
        What it believes of the target may be what is wrong: the arm is stopped as if that were LIGHTER, because sampled
        control is stable if its model is up to twice as heavy as what it moves, and slow, but stable, if lighter."""
        arm.motion = Still(arm.q.copy())
        if hand.is_rigid or "berth" in self._latched(others):
            if hand.is_rigid:
                arm.craft.carry(hand.payload(Pose(), LIGHTER), self.period())
            pilot.let_float(True, self.period())
            pilot.is_shut = True
            return None
        formation, away, along = pilot.course, list[ms.Phase](), list[ms.phase.Guard]()
        is_able = not isinstance(why, OffCourse | NoPropellant | NoThrust)
        if is_able and isinstance(formation, Formation):  # a turning target would hit what goes straight away
            along = [formation.update, self._near_course(pilot), self._spent(pilot)]
            away = [
                ms.BackOut(pilot, formation, self.plan.near, guards=along[1:]),  # which updates it itself
                ms.Move(arm, self.arm.stowed, self.plan.reach, name="fold", guards=along),
            ]
        if not hand.is_open:
            away.insert(0, ms.Open(hand, name="open", limit=10.0, guards=along))
        for phase in (*away, ms.Avoid(pilot, self._center(nav), self.plan.keep_out + MARGIN)):
            try:
                yield phase
            except Failure:
                continue  # whatever else goes wrong, it goes away
        return None

    @staticmethod
    def _latched(parts: Mapping[str, Part]) -> list[str]:
        return [name for name, part in parts.items() if isinstance(part, ms.Lock) and part.engaged]

    def _center(self, nav: ms.TargetTracker) -> Callable[[float], np.ndarray]:
        def center(t: float) -> np.ndarray:
            if nav.accepted:
                return np.asarray(nav.body_at(t).position)
            return np.zeros(3) if nav.middle is None else nav.middle

        return center

    def _capture(
        self, *, arm: ms.Arm, pilot: ms.Pilot, nav: ms.TargetTracker, hand: ms.Gripper, **others: Part
    ) -> Phases:
        """Approach, inspect, synchronise, reach, close."""
        pilot.watches = not (self.chaser.flexible or self.arm.elastic)  # its model is rigid
        plan, center = self.plan, self._center(nav)
        spent, outside = self._spent(pilot), self._outside(pilot, center)

        began = arm.craft.t

        def recognised(t: float) -> bool:
            return nav.accepted >= 10

        def seen(t: float) -> bool:
            return recognised(t) or (nav.middle is not None and t > began + FROM_AFAR)

        if self.start.phase == "approach":
            yield ms.Wait(until=seen, limit=RECOGNISED, name="acquire", guards=[spent])
            yield from self.approach(
                pilot, center, [spent, outside, self._in_cone(pilot, center), self._near_course(pilot)]
            )
        if not recognised(arm.craft.t):
            yield ms.Wait(until=recognised, limit=RECOGNISED, name="acquire", guards=[spent])
        known = self._known(nav)
        yield ms.Wait(until=known, limit=plan.inspect, name="inspect", guards=[spent])
        nav.refuse_misplaced(arm.craft.t)
        self._refuse(arm, pilot, hand)
        if self.start.phase in {"approach", "inspect"}:
            safe = [spent, outside, self._near_course(pilot)]
            yield ms.Fly(pilot, self._past(pilot, center, plan.near), name="close in", guards=safe)
            yield ms.Wait(until=known, limit=plan.inspect, name="look again", guards=[spent])
        along = [spent, self._near_course(pilot), nav.refuse_contradicted, nav.refuse_misplaced]
        work = plan.reach + plan.last + CLOSED * self.gripper.closing
        formation = yield ms.Synchronise(
            pilot, nav, R_BS, outer=plan.outer, inner=plan.station, guards=along, aside=plan.aside, work=work,
            ways=ms.WAYS if plan.way == "best" else (plan.way,),
        )  # fmt: skip
        reaching = ms.ReachOptimally if plan.reaching == "optimal" else ms.ReachBeside
        reach = yield reaching(
            arm, pilot, nav, Pose(), seconds=plan.reach, last=plan.last, formation=formation, guards=along
        )
        pilot.reached = getattr(reach, "planned", "")
        pilot.watches = False  # from now on its thrusters are not all that pushes it
        yield ms.Close(hand, Pose(), guards=[reach.follow])
        yield ms.Rigidise(hand, guards=[reach.follow])
        self._hold(arm=arm, pilot=pilot, nav=nav, hand=hand)
        if formation.way != "body":
            yield from self._brake(arm, pilot)
        return None

    def _hold(self, *, arm: ms.Arm, pilot: ms.Pilot, nav: ms.TargetTracker, hand: ms.Gripper, **others: Part) -> None:
        """The target is in the gripper, firmly."""
        hand.holds = hand.is_rigid = True
        pilot.watches = False
        nav.camera.blocked = ((0.0, np.inf),)  # what it holds needs no more looking at
        arm.craft.carry(hand.payload(Pose()), self.period())

    def _stop(self, *, arm: ms.Arm, pilot: ms.Pilot, nav: ms.TargetTracker, hand: ms.Gripper, **others: Part) -> Phases:
        """The tumble, about the middle of what is held, with the arm held still."""
        arm.motion = Still(arm.q.copy())
        R, p, _ = BaseArm(arm).forward(arm.q)
        held = Pose.of(R, p) @ self.target.frame.inverse()

        def pivot(t: float) -> np.ndarray:
            here = pilot.believed()
            return np.asarray(here.p + here.R @ held.position)

        how: dict[str, Any] = {"pivot": pivot, "seconds": self.plan.stop, "guards": self._holding(arm, pilot)}
        if self.plan.detumble == "course":
            yield ms.Stop(pilot, **how)
        else:
            payload = ms.estimated(hand, nav, Pose()) if nav.accepted else hand.payload(Pose())
            yield ms.StopOptimally(pilot, arm=arm, payload=payload, **how)
        return None

    def _known(self, nav: ms.TargetTracker) -> Callable[[float], bool]:
        """Is the forecast sure, and do the newest poses not contradict it?"""
        plan = self.plan
        sure = nav.surer_than(plan.position, plan.angle, ahead=plan.ahead)

        def known(t: float) -> bool:
            try:
                nav.refuse_contradicted(t)
            except ms.Unsure:
                return False
            return bool(sure(t))

        return known

    def approach(
        self, pilot: ms.Pilot, center: Callable[[float], np.ndarray], guards: Sequence[ms.phase.Guard]
    ) -> Phases:
        """To the first hold point; a mission that is derived from this one may fly there otherwise."""
        yield ms.Fly(pilot, self._past(pilot, center, self.plan.hold), name="approach", guards=guards)
        return None

    def _brake(self, arm: ms.Arm, pilot: ms.Pilot) -> Phases:
        """What it holds turns against its base, which does not turn with it."""
        now = arm.wanted_at(arm.craft.t)
        rest = np.clip(now.q + now.qd * BRAKING / 2, arm.lower, arm.upper)
        yield ms.Move(arm, rest.tolist(), BRAKING, name="brake", guards=self._holding(arm, pilot))
        return None

    def _berth(self, *, arm: ms.Arm, pilot: ms.Pilot, hand: ms.Gripper, **others: Any) -> Phases:
        """Carry to the port, seat it there. What does not latch is tried once more."""
        above, to = self._over_port(arm)
        yield ms.Move(arm, to, self.plan.carry, name="carry", guards=self._holding(arm, pilot))
        try:
            yield from self._seat(arm, pilot, **others)
        except ms.NotLatched:
            yield from self._lift(arm, pilot, above, **others)
            yield from self._seat(arm, pilot, **others)
        return None

    def _release(self, *, arm: ms.Arm, pilot: ms.Pilot, hand: ms.Gripper, **others: Any) -> Phases:
        """Let go of what is berthed, draw back."""
        plan, guards = self.plan, self._holding(arm, pilot)
        above = self._above_port()
        arm.motion = Still(arm.q.copy())
        arm.craft.carry(self._berthed(hand), self.period())
        if self.start.phase != "let go":
            yield ms.Open(hand, name="release")
        self._stand(pilot)
        _, tip, _ = BaseArm(arm).forward(arm.q)
        if np.linalg.norm(tip - self.gripper_at_port().position) < plan.above:  # not, where a run goes on after that
            yield ms.Line(arm, above, plan.insert, name="let go", guards=guards)
        yield ms.Move(arm, self.arm.stowed, plan.carry, name="retreat", guards=guards)
        return None

    def _seat(self, arm: ms.Arm, pilot: ms.Pilot, *, soft: ms.Lock, berth: ms.Lock, **others: Part) -> Phases:
        """Lower what is held into the port, press, latch."""
        plan, port = self.plan, self.gripper_at_port()
        mouth, pressed = (Pose(position=(0.0, 0.0, height)) @ port for height in (plan.mouth, -plan.press))
        yield ms.Line(arm, mouth, plan.insert, name="insert", guards=self._holding(arm, pilot))
        pilot.let_float(True, self.period())  # what presses is within the craft
        if arm.servoed:  # stiff joints would tilt what they press on: the force is to go through the port
            yield ms.Line(arm, port, plan.seat / 2, name="seat")
            yield ms.Press(arm, (0.0, 0.0, -PRESSED), self.port.position, plan.seat / 2)
        else:
            yield ms.Line(arm, pressed, plan.seat, name="seat")
        yield ms.Latch(soft, name="soft latch")
        yield ms.Latch(berth, name="hard latch")
        return None

    def _lift(self, arm: ms.Arm, pilot: ms.Pilot, above: Pose, *, soft: ms.Lock, **others: Part) -> Phases:
        """Out of the port again."""
        if soft.engaged:
            yield ms.Release(soft, name="unlatch")
        yield ms.Line(arm, above, self.plan.insert, name="lift")
        self._stand(pilot)
        return None

    def _stand(self, pilot: ms.Pilot) -> None:
        """After it floated: here."""
        here = pilot.believed()
        pilot.course = Station(here.p, here.R)
        pilot.let_float(False, self.period())

    # --- guards ----------------------------------------------------------------------------------

    def _spent(self, pilot: ms.Pilot) -> ms.phase.Guard:
        """There is propellant to leave with, and thrusters that push and turn it in every direction."""
        tank = self.tank

        def guard(t: float) -> None:
            if pilot.isolated and (missing := pilot.lacking()):
                failed = ", ".join(f"{name!r} ({how})" for name, how in pilot.isolated.items())
                raise NoThrust(f"thrusters {failed} were isolated, and the others give no {', no '.join(missing)}")
            if pilot.used > tank.propellant - tank.reserve:
                told = f"{pilot.used:.2f} kg of {tank.propellant:g} kg propellant are used"
                raise NoPropellant(f"{told}: {tank.reserve:g} kg are kept for leaving")

        return guard

    def _holding(self, arm: ms.Arm, pilot: ms.Pilot) -> list[ms.phase.Guard]:
        """With the target held: there is propellant, the base is where it is to be, and the arm follows its motion. (If
        what it holds is lighter than half of what is believed, sampled control is not stable.)"""

        def dry(t: float) -> None:
            if pilot.used >= self.tank.propellant:
                raise NoPropellant(f"all of {self.tank.propellant:g} kg propellant is used")

        def follows(t: float) -> None:
            off, rates = np.abs(arm.q - arm.wanted_at(t).q), np.abs(arm.qd)
            if off.max() > ASTRAY or np.any(rates > RUNAWAY * arm.rates):
                worst = int(np.argmax(np.maximum(off / ASTRAY, rates / (RUNAWAY * arm.rates))))
                told = f"joint {arm.joints[worst]!r} is {off[worst]:.2g} rad off and turns at {rates[worst]:.2g} rad/s"
                raise ms.Astray(
                    f"{told}: what the arm holds, or what pushes its base, is not what it is believed to be"
                )

        return [dry, self._near_course(pilot), follows]

    def _outside(self, pilot: ms.Pilot, center: Callable[[float], np.ndarray]) -> ms.phase.Guard:
        def guard(t: float) -> None:
            distance = float(np.linalg.norm(pilot.believed().p - center(t)))
            if distance < self.plan.keep_out:
                sphere = f"the keep-out sphere of {self.plan.keep_out:g} m"
                raise OffCourse(f"{distance:.2f} m from the target, within {sphere}")

        return guard

    def _in_cone(self, pilot: ms.Pilot, center: Callable[[float], np.ndarray]) -> ms.phase.Guard:
        plan, axis = self.plan, facing(np.array(self.start.position) - np.array(self.target.position))[:, 0]

        def guard(t: float) -> None:
            r = pilot.believed().p - center(t)
            if np.arccos(np.clip(-r @ axis / np.linalg.norm(r), -1, 1)) > plan.cone:
                raise OffCourse(f"outside of the approach cone of {plan.cone:g} rad")

        return guard

    def _near_course(self, pilot: ms.Pilot) -> ms.phase.Guard:
        def guard(t: float) -> None:
            off, turned = pilot.off(t)
            if off > 0.5 or turned > 0.3:
                why = f": {told}" if (told := pilot.told_missing()) else ""
                raise OffCourse(f"{off:.2f} m and {turned:.2f} rad away from where it is to be{why}")

        return guard

    def _refuse(self, arm: ms.Arm, pilot: ms.Pilot, hand: ms.Gripper) -> None:
        """Before the grasp: `Unreachable` if the port is out of the arm's reach, `TooHeavy` if joints or wheels are too
        weak to carry the target there in time."""
        _, over = self._over_port(arm)
        near = np.array(over)
        for height in (self.plan.mouth, -self.plan.press):
            near = BaseArm(arm).solved(Pose(position=(0.0, 0.0, height)) @ self.gripper_at_port(), near)
        held = beside(self.chaser, self.arm, self.target, self.orbit, self.plan.station).joints
        seconds = self.plan.carry
        carried = minimum_acceleration(
            held, over, seconds, position=(arm.lower, arm.upper), rate=arm.rates, names=arm.joints
        )
        moved = [Sample(*carried.at(t)) for t in np.linspace(0.0, seconds, LOOKS)]
        asked = carrying(arm.craft, hand.payload(Pose()), arm.joints, pilot.wheels, moved)
        limits = dict.fromkeys(arm.joints, self.arm.torque) | dict.fromkeys(pilot.wheels, self.chaser.wheels.torque)
        worst = max(asked, key=lambda name: asked[name] / limits[name])
        if asked[worst] > limits[worst]:
            raise TooHeavy(
                f"to carry the target of {hand.target.mass:.0f} kg in {seconds:g} s takes {asked[worst]:.1f} N m of "
                f"{worst}, which gives {limits[worst]:g}"
            )

    # --- places ----------------------------------------------------------------------------------

    def _over_port(self, arm: ms.Arm) -> tuple[Pose, list[float]]:
        """Where the gripper is when what it holds is over the port: in the base's frame, and by joints."""
        above = self._above_port()
        elbow_forward = np.array([*ELBOW_FORWARD[:-1], arm.q[-1]])
        return above, BaseArm(arm).solved(above, elbow_forward, restarts=40).tolist()

    def _above_port(self) -> Pose:
        return Pose(position=(0.0, 0.0, self.plan.above)) @ self.gripper_at_port()

    def gripper_at_port(self) -> Pose:
        """G in S, when the ring is on the port."""
        return seated(self.target, self.port) @ self.target.frame

    def _berthed(self, hand: ms.Gripper) -> Any:
        return hand.target.altered(parent=BASE, joint=Fixed(), placement=seated(self.target, self.port))

    def _past(
        self, pilot: ms.Pilot, center: Callable[[float], np.ndarray], distance: float
    ) -> Callable[[float], Watching]:
        """To a hold point, along a line that leads past the keep-out sphere, not into it."""

        def planned(t: float) -> Watching:
            assert pilot.course
            start, miss = pilot.course.at(t), self.plan.keep_out + ASIDE
            return safe_glide(pilot.craft.n, start, center(t), distance, miss, begin=t, speed=self.plan.speed)[0]

        return planned

    # --- what is left of it ----------------------------------------------------------------------

    def simulation(self, dynamics: Dynamics) -> Simulation:
        """The loop, with what is recorded of truth and belief."""
        simulation = super().simulation(dynamics)
        conductor = self.conductor(simulation)
        conductor.observers.append(Notes(conductor, self.period()))
        return simulation

    @classmethod
    def notes(cls, simulation: Simulation) -> Notes:
        """What is recorded of truth and belief."""
        return next(one for one in cls.conductor(simulation).observers if isinstance(one, Notes))

    def tables(self, simulation: Simulation, rows: Trajectory) -> dict[str, Columns]:
        """Phases, what parts leave, flight and estimates."""
        return super().tables(simulation, rows) | self.notes(simulation).tables()

    def annotations(self) -> dict[str, Any]:
        """Camera, estimate and views."""
        return {
            "camera": {"frame": CAMERA, "fov": list(self.camera.field), "range": 4.0},
            "estimate": {"body": TARGET},
            "views": {"chaser": BASE, "target": TARGET, "port": PORT},
        }

    @classmethod
    def figures(cls) -> "dict[str, Drawing]":
        """The flight, what was known, momentum and propellant, and the ledger."""
        from softdock.scenarios.servicing.figures import FIGURES

        return FIGURES

    def metrics(self, simulation: Simulation, rows: Trajectory) -> dict[str, Any]:
        """How it went."""
        from softdock.scenarios.runner import balance_errors

        notes, conductor, thrusters = self.notes(simulation), self.conductor(simulation), simulation.thrusters
        assert thrusters
        ended = {phase.name: phase.end for phase in conductor.phases if phase.result == "done"}
        general = super().metrics(simulation, rows)
        clear = self._clearances(simulation, rows)
        nav, own = notes.nav, conductor.parts.get("own")
        checked = own.nees() if isinstance(own, ms.Navigation) else []
        errors = balance_errors(simulation.dynamics, rows, known={})
        return {
            **general,
            **errors,
            "momentum_balance_error": errors["momentum_drift"],
            "outcome": "collided" if clear.collisions else general["outcome"],
            "captured_at": ended.get("close"),
            "detumbled_at": ended.get("detumble"),
            "reach_effort": notes.efforts.get("reach"),
            "reach_plan": notes.pilot.reached or None,
            "detumble_effort": notes.efforts.get("detumble"),
            "detumble_impulse": self._stopped_by(simulation),
            "detumble_plan": notes.pilot.passivation or None,
            "berthed_at": ended.get("hard latch"),
            "released_at": ended.get("release"),
            "delta_v": thrusters.impulse(simulation.t) / notes.pilot.craft.dynamics.mass,
            "wheel_momentum_max": notes.wheel_momentum,
            "peak_contact_force": float(simulation.motion.contact_peaks.max(initial=0.0)),
            "clearance_min": clear.least,
            "clearances": {pair: gap for pair, gap in clear.pairs.items() if gap < NEAR},
            "collisions": clear.collisions,
            "estimate_error_at_grasp": notes.at_grasp,
            "nees_mean": notes.nees_mean(),
            "navigation_nees_mean": float(np.mean(checked)) if checked else None,
            "way": notes.way or None,
            "station_error": notes.station,
            "least_drift": self._drifts(simulation, notes),
            "drift_at_end": notes.drift_at(simulation.t, simulation.q, simulation.v),
            "plume_hits": sum(event["kind"] == "plume" for event in simulation.events),
            "measurements": {"accepted": nav.accepted, "rejected": dict(nav.estimator.rejected)},
        }

    def _stopped_by(self, simulation: Simulation) -> float | None:
        """Impulse of thrusters while the stack was stopped (N s)."""
        stages = [stage for stage in stages_of(simulation.events, simulation.t) if stage.name == "detumble"]
        assert simulation.thrusters
        return simulation.thrusters.impulse(stages[0].end, stages[0].start) if stages else None

    def _drifts(self, simulation: Simulation, notes: Notes) -> dict[str, float]:
        """Had all thrust failed: how near it would have come, by phase."""
        found: dict[str, float] = {}
        for stage in stages_of(simulation.events, simulation.t):
            near = [row[-1] for row in notes.flight if stage.start <= row[0] < stage.end and np.isfinite(row[-1])]
            if near:
                found[stage.name] = min([*near, found.get(stage.name, np.inf)])
        return found

    def _clearances(self, simulation: Simulation, rows: Trajectory) -> RunClearances:
        """Gripper and target are left out from reaching on, balls and grooves from inserting on: they are to meet."""
        stages = stages_of(simulation.events, float(rows.t[-1]))
        begins = {stage.name: stage.start for stage in reversed(stages)}
        dynamics, layout = simulation.dynamics, simulation.dynamics.layout
        on, ring = (dynamics.pose(name, rows.q[0])[1] for name in (PORT, RING))
        reaching = 0.0 if self.start.engaged else begins.get("reach", np.inf)
        inserting = 0.0 if np.linalg.norm(ring - on) < self.plan.above else begins.get("insert", np.inf)
        gripper = [JOINTS[-1], *(name for name in fingers_of(GRIPPER) if name in layout.q)]
        left_out = dict.fromkeys(product(gripper, (TARGET, BAR_BODY)), reaching)
        grooves, balls = ([f"{what}{k}" for k in (1, 2, 3)] for what in (f"{PORT}.groove", f"{RING}.ball"))
        left_out |= dict.fromkeys(product(grooves, balls), inserting)
        meant = [*combinations(gripper, 2), *product(gripper[1:], [BAR_BODY]), *product(grooves, balls)]
        return clearances_of(dynamics, rows, stages, left_out, meant, enough=NEAR)


SCENARIO = Servicing
