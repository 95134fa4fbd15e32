"""The propellant of a craft that a pilot flies: the world's side, which its gauge reads."""

from softdock.runs.simulation import Simulation


class Tank:
    """What thrusters of `body` draw, until its `capacity` (kg) is used: then nothing comes out of them any more."""

    def __init__(self, body: str, capacity: float) -> None:
        self.body, self.capacity = body, capacity
        self.is_shut = False
        self._drawn, self._known = 0.0, 0

    def drawn(self, simulation: Simulation) -> float:
        """Used so far (kg), pulses of the coming period counted."""
        thrusters, now = simulation.thrusters, simulation.t
        assert thrusters
        for pulse in thrusters.pulses[self._known :]:
            one = thrusters.all[pulse.thruster]
            self._drawn += (pulse.end - pulse.begin) * one.flow if one.body == self.body else 0.0
        self._known = len(thrusters.pulses)
        stuck = [k for k, one in enumerate(thrusters.all) if one.stuck == "on" and one.body == self.body]
        used = self._drawn + sum(thrusters.drawn(k, now) for k in stuck)
        if used >= self.capacity:
            self.shut(simulation, "no propellant")
        return min(used, self.capacity)

    def shut(self, simulation: Simulation, why: str) -> None:
        """Nothing comes out of it any more."""
        if not self.is_shut:
            self.is_shut = True
            simulation.note(why, body=self.body)
            assert simulation.thrusters
            simulation.thrusters.run_dry(simulation.t, self.body)
