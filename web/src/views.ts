// Where the camera stands: in the frame of an anchor, so that the scene is turned and not the controls.
import { Box3, Matrix4, type PerspectiveCamera, Quaternion, Sphere, Vector3 } from "three";
import type { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Body, Recording } from "./data";
import { setQuaternion } from "./shapes";

export type ViewName = "whole" | "chase" | "target" | "port" | "top";
const VIEWS: [ViewName, string, string][] = [
  ["whole", "Whole", "everything, seen from aside; follows the chaser"],
  ["chase", "Chase", "over the chaser's shoulder, turning with it"],
  ["target", "Target", "close to the target, turning with it"],
  ["port", "Port", "close to the docking port, turning with it"],
  ["top", "Top", "from above (along +z)"],
];

/** Those that a run has: no target without one beside the chaser, no port without a frame. */
export function viewsOf(recording: Recording): [ViewName, string, string][] {
  const { target, port } = recording.data.views;
  return VIEWS.filter(([name]) => (name !== "target" || target) && (name !== "port" || port));
}

const ROOM = 0.85; // of a body's reach that is kept in sight: shapes rarely fill the ball about them

/** A frame to look from: a body's place, with or without its turning. */
export interface Anchor {
  body: Body;
  turning: boolean;
}

export function poseMatrix(recording: Recording, body: Body, time: number, turning = true): Matrix4 {
  const pose = recording.pose(body, time);
  const q = turning ? setQuaternion(new Quaternion(), pose.quaternion) : new Quaternion();
  return new Matrix4().compose(new Vector3(...pose.position), q, new Vector3(1, 1, 1));
}

/** Farthest that a body's shapes reach from its origin (m). */
export function reach(body: Body): number {
  const sizes = body.shapes.map((shape) => {
    const away = Math.hypot(...(shape.position ?? [0, 0, 0]));
    const size = shape.size ? Math.hypot(...shape.size) / 2 : Math.hypot(...(shape.to ?? [0, 0, 0]));
    return away + size + (shape.radius ?? 0) + (shape.length ?? 0) / 2 + (shape.reach ?? 0);
  });
  return Math.max(0, ...sizes);
}

/** A point that shall be seen, and how much about it (m). */
type Spot = [Vector3, number];

/** Where bodies are during the run, in the anchor's frame; a body far larger than their spread counts as a point. */
function spots(recording: Recording, anchor: Anchor, bodies: Body[], moments = 40): Spot[] {
  const found: Spot[] = [];
  const sizes = new Map(bodies.map((body) => [body, reach(body)]));
  for (let k = 0; k <= moments; k++) {
    const time = recording.t[0] + (k / moments) * (recording.end - recording.t[0]);
    const inverse = poseMatrix(recording, anchor.body, time, anchor.turning).invert();
    for (const body of bodies) {
      found.push([new Vector3(...recording.pose(body, time).position).applyMatrix4(inverse), sizes.get(body)!]);
    }
  }
  const spread = new Box3().setFromPoints(found.map(([spot]) => spot)).getSize(new Vector3()).length();
  return found.map(([spot, size]) => [spot, spread === 0 || 1.4 * size < 4 * spread ? size : 0]);
}

/** Half the diagonal of the box about spots (m). */
function radiusOf(seen: Spot[]): number {
  const box = new Box3();
  for (const [spot, size] of seen) box.union(new Box3().setFromCenterAndSize(spot, new Vector3(1.4, 1.4, 1.4).multiplyScalar(size)));
  return Math.max(box.getBoundingSphere(new Sphere()).radius, 1e-3);
}

function treeOf(recording: Recording, root: string): Body[] {
  const names = new Set([root]);
  for (const body of recording.data.bodies) if (names.has(body.parent)) names.add(body.name);
  return recording.data.bodies.filter((body) => names.has(body.name));
}

/** Turns the world so that Earth is below: z outward, x along the track. */
export function earthBelow(recording: Recording): Quaternion {
  const { orbit } = recording.data;
  if (!orbit) return new Quaternion();
  const out = new Vector3(...orbit.radius[0]).normalize();
  const across = new Vector3(...orbit.normal);
  return new Quaternion()
    .setFromRotationMatrix(new Matrix4().makeBasis(across.clone().cross(out).negate(), across.negate(), out))
    .invert();
}

/** Does everything move in a plane of constant z? */
function isFlat(recording: Recording): boolean {
  return recording.data.bodies.every((body) => {
    const z = recording.channels[body.p[2]];
    return z.every((value) => Math.abs(value - z[0]) < 1e-3);
  });
}

export class Views {
  anchor: Anchor;
  current: ViewName = "whole";
  /** Turn of the scene on the screen. */
  tilt = new Quaternion();
  /** Size of what is looked at (m). */
  radius: number;
  private get flat(): boolean {
    return isFlat(this.recording);
  }

  constructor(
    private readonly recording: Recording,
    private readonly camera: PerspectiveCamera,
    private readonly controls: OrbitControls,
  ) {
    this.anchor = this.anchorOf("whole");
    this.radius = radiusOf(spots(recording, this.anchor, recording.data.bodies));
  }

  /** The run has gone on: is what is looked at well larger than it was? */
  renew(): boolean {
    const radius = radiusOf(spots(this.recording, this.anchorOf("whole"), this.recording.data.bodies));
    if (radius < 1.2 * this.radius) return false;
    this.radius = radius;
    return true;
  }

  private anchorOf(view: ViewName): Anchor {
    const { chaser, target, port } = this.recording.data.views;
    const body = this.named(view === "target" ? target : view === "port" && port ? port : chaser);
    return { body, turning: view !== "whole" && view !== "top" };
  }

  named(name: string): Body {
    const { bodies, frames } = this.recording.data;
    const frame = frames.find((entry) => entry.name === name);
    return bodies.find((body) => body.name === (frame?.body ?? name)) ?? bodies[0];
  }

  choose(view: ViewName): void {
    const { data } = this.recording;
    this.current = view;
    const { port } = data.views;
    this.anchor = this.anchorOf(view);
    const { body } = this.anchor;
    this.tilt = view === "whole" ? earthBelow(this.recording) : new Quaternion();
    if (view === "whole" || view === "top") {
      this.look(spots(this.recording, this.anchor, data.bodies), view === "top" ? new Vector3(0, -1e-4, 1) : this.aside());
    } else if (view === "port") {
      const frame = data.frames.find((entry) => entry.name === port);
      this.look([[new Vector3(...(frame?.position ?? [0, 0, 0])), Math.max(0.3 * this.radius, 0.2)]], new Vector3(-0.6, -0.35, 0.9));
    } else if (view === "target") {
      const seen = spots(this.recording, this.anchor, treeOf(this.recording, body.name));
      this.look([...seen, [new Vector3(), 0.45 * this.radius]], new Vector3(-0.45, -0.5, 0.95)); // with what comes to it
    } else {
      this.look(spots(this.recording, this.anchor, data.bodies), new Vector3(-0.85, -0.3, 0.5));
    }
  }

  /** From where the whole is seen. In orbit, a little above the horizon; what moves in a plane, well out of it. */
  private aside(): Vector3 {
    if (this.recording.data.orbit) return new Vector3(this.flat ? -0.35 : -0.62, -0.9, 0.26);
    return this.flat ? new Vector3(-0.3, -0.55, 1.1) : new Vector3(-0.55, -0.72, 0.42);
  }

  /** Stand in a direction, no farther away than it takes to see all spots. */
  private look(seen: Spot[], from: Vector3): void {
    const back = from.normalize();
    const right = new Vector3(0, 0, 1).cross(back).normalize();
    const up = back.clone().cross(right);
    const high = Math.tan((this.camera.fov * Math.PI) / 360);
    const wide = high * this.camera.aspect;
    const turned: Spot[] = seen.map(([spot, size]) => [spot.clone().applyQuaternion(this.tilt), ROOM * size]);
    const middle = (axis: Vector3) => {
      const low = turned.reduce((least, [spot, size]) => Math.min(least, spot.dot(axis) - size), Infinity);
      const high = turned.reduce((most, [spot, size]) => Math.max(most, spot.dot(axis) + size), -Infinity);
      return (low + high) / 2;
    };
    const center = new Vector3();
    for (const axis of [right, up, back]) center.addScaledVector(axis, middle(axis));
    let away = 1e-3;
    for (const [spot, size] of turned) {
      const off = spot.clone().sub(center);
      const aside = Math.max((Math.abs(off.dot(right)) + size) / wide, (Math.abs(off.dot(up)) + size) / high);
      away = Math.max(away, off.dot(back) + aside);
    }
    away *= 1.06;
    this.camera.near = away / 200;
    this.camera.far = Math.max(away * 60, 400);
    this.camera.position.copy(center).addScaledVector(back, away);
    this.controls.target.copy(center);
    this.controls.minDistance = away / 60;
    this.controls.maxDistance = away * 12;
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }
}
