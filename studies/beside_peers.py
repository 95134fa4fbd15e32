"""What README's table says of contact and latches: the same two worlds in softdock and, if it is there, MuJoCo.

    python studies/beside_peers.py

*Ball*: radius 0.1 m, 1 m/s towards a wall 0.503 m away, h = 10 ms, no gravity; it shall come back as fast. *Pin*: a rod
of 1 m and 1 kg turning at 1 rad/s about its end, which is pinned for 10 s, h = 10 ms, no gravity.
MuJoCo runs with its default options; for the ball also with every stiffness of a range and no damping, the best shown.
"""

import argparse
import importlib.util

import numpy as np
from report import heading

import softdock as sd

SPEED, WAY, H = 1.0, 0.503, 0.01
ROD = (1 / 1200, 1 / 12, 1 / 12)


def softdock_ball() -> str:
    wall = sd.Body(
        name="wall", joint=sd.Fixed(), mass=0, shapes=[sd.Box(size=(1, 4, 4), placement={"position": (0.5, 0, 0)})]
    )
    ball = sd.Body(name="ball", mass=1.0, inertia=[0.004] * 3, shapes=[sd.Sphere(radius=0.1)])
    gap = sd.Contact(name="touch", body_a="ball", body_b="wall", restitution=1.0)
    dynamics = sd.Dynamics(sd.World(bodies=[wall, ball], contacts=[gap]))
    start = dynamics.state({"ball": {"position": (-WAY - 0.1, 0, 0), "velocity": (SPEED, 0, 0)}})
    path = sd.Motion(dynamics, *start, h=H).run(100)
    (impact,) = path.impacts
    off, depth = abs(impact.time - WAY / SPEED), max(0.0, path.q[:, 0].max() + 0.1)
    return f"back at {-path.v[-1, 0]:.12f} m/s, instant off by {off:.1e} s, depth {depth:.1e} m"


def softdock_pin() -> str:
    rod = sd.Body(name="rod", mass=1.0, center=(0.5, 0, 0), inertia=ROD)
    here = sd.Frame(name="here", body="world")
    latch = sd.Latch(name="pin", kind="point", frame_a="here", frame_b="rod", engaged=True)
    dynamics = sd.Dynamics(sd.World(bodies=[rod], frames=[here], latches=[latch]))
    motion = sd.Motion(dynamics, *dynamics.state({"rod": {"angular_velocity": (0, 0, 1.0)}}), h=H)
    return f"its end strays by {np.abs(motion.run(1000).q[:, :3]).max():.1e} m"


BALL = """<mujoco><option timestep="{h}" gravity="0 0 0"/><worldbody>
<geom type="box" size=".5 2 2" pos=".5 0 0" solref="{solref}"/>
<body pos="{x} 0 0"><joint type="slide" axis="1 0 0"/><geom type="sphere" size=".1" mass="1" solref="{solref}"/></body>
</worldbody></mujoco>"""
PIN = """<mujoco><option timestep="{h}" gravity="0 0 0"/><worldbody><body name="rod"><freejoint/>
<inertial pos=".5 0 0" mass="1" diaginertia="{i}"/></body></worldbody>
<equality><connect name="pin" body1="rod" anchor="0 0 0"/></equality></mujoco>"""


def mujoco_ball(solref: str) -> tuple[float, float, float]:
    """Speed back (m/s), when it turned round (s), depth (m)."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(BALL.format(h=H, x=-WAY - 0.1, solref=solref))
    data = mujoco.MjData(model)
    data.qvel[0] = SPEED
    turned, depth = np.nan, 0.0
    for _ in range(100):
        mujoco.mj_step(model, data)
        depth = max(depth, data.qpos[0] - WAY)
        if data.qvel[0] < 0 and np.isnan(turned):
            turned = data.time
    return -data.qvel[0], turned, depth


def mujoco_pin() -> str:
    import mujoco

    model = mujoco.MjModel.from_xml_string(PIN.format(h=H, i=" ".join(map(str, ROD))))
    data = mujoco.MjData(model)
    data.qvel[5] = 1.0
    drift = 0.0
    for _ in range(1000):
        mujoco.mj_step(model, data)
        drift = max(drift, float(np.linalg.norm(data.qpos[:3])))
    return f"its end strays by {drift:.1e} m"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    print(heading("a ball against a wall, a pinned rod", options.parse_args()))
    print(f"ball, softdock: {softdock_ball()}")
    if importlib.util.find_spec("mujoco"):
        import mujoco

        ways = {"default": mujoco_ball("0.02 1")}
        tried = {f"solref -{k:g} 0": mujoco_ball(f"-{k} 0") for k in np.geomspace(100, 1e5, 61).round()}
        best = min(tried, key=lambda name: abs(tried[name][0] - SPEED))
        for name, (back, turned, depth) in (ways | {best: tried[best]}).items():
            print(
                f"ball, MuJoCo {mujoco.__version__}, {name}: back at {back:.4f} m/s, turned round by {turned:.2f} s, "
                f"depth {1000 * depth:.1f} mm"
            )
        speeds = [back for back, _, _ in tried.values()]
        print(f"ball, MuJoCo, all stiffnesses: back at {min(speeds):.3f} to {max(speeds):.3f} m/s")
    print(f"pin, softdock: {softdock_pin()}")
    if importlib.util.find_spec("mujoco"):
        print(f"pin, MuJoCo {mujoco.__version__}: {mujoco_pin()}")


if __name__ == "__main__":
    main()
