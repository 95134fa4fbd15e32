// Where the camera stands: in the frame of an anchor, so that the scene is turned and not the controls.
import { Box3, Matrix4, type PerspectiveCamera, Quaternion, Sphere, Vector3 } from "three";
import type { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Body, Recording } from "./data";
import { setQuaternion } from "./shapes";

export type ViewName = "whole" | "far" | "chase" | "target" | "port" | "top";
const VIEWS: [ViewName, string, string][] = [
  ["whole", "Whole", "all that moves, seen from aside; follows the chaser"],
  ["chase", "Chase", "over the chaser's shoulder, turning with it"],
  ["target", "Target", "close to the target, turning with it"],
  ["port", "Port", "close to a latch's frame, turning with it"],
  ["top", "Top", "from above (along +z)"],
  ["far", "Far", "from so far that the largest body is seen to its ends"],
];

/** Those that a run has: no target without one beside the chaser, no port without a frame, nothing farther than the whole. */
export function viewsOf(recording: Recording): [ViewName, string, string][] {
  const { target, port } = recording.data.views;
  const has: Partial<Record<ViewName, boolean>> = { target: target !== "", port: port !== "", far: isVast(recording) };
  const short = port.length > 1 && port.length < 10; // such as "handle": not every frame that a latch joins is a port
  const label = short ? port[0].toUpperCase() + port.slice(1) : "Latch";
  return VIEWS.filter(([name]) => has[name] ?? true).map(([name, called, what]) =>
    name === "port" ? [name, label, `close to the frame ${port}, turning with it`] : [name, called, what]);
}

const FAR = 1.7; // times as far to see the whole run as to see what is there at once, from which on the camera follows
const FINEST = 240; // moments of a run for each of which the camera has a place
const MOST_SPOTS = 8000; // places of bodies that are looked at for that
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

/** What the camera looks at, and from how far (m). */
interface Frame {
  center: Vector3;
  away: number;
}

/** A point that shall be seen, and how much about it (m). */
type Spot = [Vector3, number];

/** Is a body so much larger than the run's motion that the whole view cannot show it? */
function isVast(recording: Recording): boolean {
  const body = recording.data.bodies.find(({ name }) => name === recording.data.views.chaser) ?? recording.data.bodies[0];
  const seen = placed(recording, { body, turning: false }, inSight(recording), 40);
  const spread = spreadOf(seen);
  return seen.some(([, size]) => isPoint(size, spread));
}

function spreadOf(seen: Spot[]): number {
  return new Box3().setFromPoints(seen.map(([spot]) => spot)).getSize(new Vector3()).length();
}

/** Of a body far larger than their spread, only where it is counts. */
function isPoint(size: number, spread: number): boolean {
  return spread > 0 && 1.4 * size >= 4 * spread;
}

/** Where bodies are during the run, in the anchor's frame; a body far larger than their spread counts as a point. */
function spots(recording: Recording, anchor: Anchor, bodies: Body[], moments = 40): Spot[] {
  const found = placed(recording, anchor, bodies, moments);
  const spread = spreadOf(found);
  return found.map(([spot, size]) => [spot, isPoint(size, spread) ? 0 : size]);
}

/** The same, each with its whole size. */
function placed(recording: Recording, anchor: Anchor, bodies: Body[], moments: number): Spot[] {
  const found: Spot[] = [];
  const sizes = new Map(bodies.map((body) => [body, reach(body)]));
  for (let k = 0; k <= moments; k++) {
    const time = recording.t[0] + (k / moments) * (recording.end - recording.t[0]);
    const inverse = poseMatrix(recording, anchor.body, time, anchor.turning).invert();
    for (const body of bodies) {
      found.push([new Vector3(...recording.pose(body, time).position).applyMatrix4(inverse), sizes.get(body)!]);
    }
  }
  return found;
}

/** Half the diagonal of the box about spots (m). */
function radiusOf(seen: Spot[]): number {
  const box = new Box3();
  for (const [spot, size] of seen) box.union(new Box3().setFromCenterAndSize(spot, new Vector3(1.4, 1.4, 1.4).multiplyScalar(size)));
  return Math.max(box.getBoundingSphere(new Sphere()).radius, 1e-3);
}

/** Spots of each moment. */
function momentsOf(seen: Spot[], bodies: number): Spot[][] {
  return Array.from({ length: seen.length / bodies }, (_, k) => seen.slice(k * bodies, (k + 1) * bodies));
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

/** Those that the camera is to have in sight: not what stands about. */
function inSight(recording: Recording): Body[] {
  return recording.data.bodies.filter((body) => body.parent);
}

export class Views {
  anchor: Anchor;
  current: ViewName = "whole";
  /** Turn of the scene on the screen. */
  tilt = new Quaternion();
  /** Size of what there is at once, when it is closest together (m), however far the run goes. */
  radius: number;
  /** Part of the picture's height that is clear of what is written on it. */
  clear = 1;
  private back = new Vector3(0, 0, 1);
  private way: Frame[] | null = null; // where to stand during the run, if that changes
  private get flat(): boolean {
    return isFlat(this.recording);
  }

  constructor(
    private readonly recording: Recording,
    private readonly camera: PerspectiveCamera,
    private readonly controls: OrbitControls,
  ) {
    this.anchor = this.anchorOf("whole");
    this.radius = this.least();
  }

  private least(): number {
    const bodies = inSight(this.recording);
    const seen = spots(this.recording, this.anchorOf("whole"), bodies);
    const whole = radiusOf(seen);
    const least = Math.min(...momentsOf(seen, bodies.length).map(radiusOf));
    return least > 0.01 * whole ? least : whole; // of what has no size, its way
  }

  /** The run has gone on: is what is looked at well larger or smaller than it was? */
  renew(): boolean {
    const radius = this.least();
    if (radius < 1.2 * this.radius && radius > 0.8 * this.radius) return false;
    this.radius = radius;
    return true;
  }

  /** Nobody but the viewer moves the camera from now on. */
  release(): void {
    this.way = null;
  }

  /** Of a run that goes far: stand so that all is seen that there is at a time. */
  follow(time: number): void {
    const { way, recording } = this;
    if (!way) return;
    const at = ((time - recording.t[0]) / Math.max(recording.end - recording.t[0], 1e-12)) * (way.length - 1);
    const k = Math.min(Math.max(Math.floor(at), 0), way.length - 2);
    const s = Math.min(1, Math.max(0, at - k));
    const away = way[k].away ** (1 - s) * way[k + 1].away ** s;
    this.stand({ center: way[k].center.clone().lerp(way[k + 1].center, s), away }, this.back);
  }

  private anchorOf(view: ViewName): Anchor {
    const { chaser, target, port } = this.recording.data.views;
    const body = this.named(view === "target" ? target : view === "port" && port ? port : chaser);
    return { body, turning: !["whole", "far", "top"].includes(view) };
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
    this.tilt = view === "whole" || view === "far" ? earthBelow(this.recording) : new Quaternion();
    this.way = null;
    if (view === "whole" || view === "top") {
      const bodies = inSight(this.recording);
      const seen = spots(this.recording, this.anchor, bodies);
      this.look(seen, view === "top" ? new Vector3(0, -1e-4, 1) : this.aside());
      this.plan(seen, bodies);
    } else if (view === "far") {
      const seen = placed(this.recording, this.anchor, inSight(this.recording), 40);
      this.look(seen.map(([spot, size]) => [spot, size / ROOM]), this.aside());
    } else if (view === "port") {
      const frame = data.frames.find((entry) => entry.name === port);
      this.look([[new Vector3(...(frame?.position ?? [0, 0, 0])), Math.max(0.3 * this.about(body), 0.2)]], new Vector3(-0.6, -0.35, 0.9));
    } else if (view === "target") {
      const seen = spots(this.recording, this.anchor, treeOf(this.recording, body.name));
      this.look([...seen, [new Vector3(), 0.45 * this.about(body)]], new Vector3(-0.45, -0.5, 0.95)); // with what comes to it
    } else {
      const bodies = inSight(this.recording);
      const seen = spots(this.recording, this.anchor, bodies);
      this.look(seen, new Vector3(-0.85, -0.3, 0.5));
      this.plan(seen, bodies);
    }
  }

  /** How much is seen about a body (m): however far the run goes, no more than a few times what hangs on it. */
  private about(body: Body): number {
    const size = Math.max(...treeOf(this.recording, body.name).map(reach));
    return size > 0 ? Math.min(this.radius, 4 * size) : this.radius;
  }

  /** From where the whole is seen. In orbit, a little above the horizon; what moves in a plane, well out of it. */
  private aside(): Vector3 {
    if (this.recording.data.orbit) return new Vector3(this.flat ? -0.35 : -0.62, -0.9, 0.26);
    return this.flat ? new Vector3(-0.3, -0.55, 1.1) : new Vector3(-0.55, -0.72, 0.42);
  }

  /** If all of a run is much more than there is at once, go along with it. */
  private plan(seen: Spot[], bodies: Body[]): void {
    const coarse = momentsOf(seen, bodies.length).map((spots) => this.framed(spots, this.back).away);
    if (coarse.length < 3 || Math.max(...coarse) < FAR * Math.min(...coarse)) return;
    const moments = Math.round(Math.min(FINEST, Math.max(40, MOST_SPOTS / bodies.length)));
    const each = momentsOf(spots(this.recording, this.anchor, bodies, moments), bodies.length);
    this.way = each.map((_, k) => this.framed(each.slice(Math.max(0, k - 1), k + 2).flat(), this.back)); // calmly
  }

  /** Stand in a direction, no farther away than it takes to see all spots. */
  private look(seen: Spot[], from: Vector3): void {
    this.back = from.normalize();
    const frame = this.framed(seen, this.back);
    this.stand(frame, this.back);
    this.controls.minDistance = frame.away / 60;
    this.controls.maxDistance = frame.away * 12;
    this.controls.update();
  }

  private stand({ center, away }: Frame, back: Vector3): void {
    this.camera.near = away / 200;
    this.camera.far = Math.max(away * 60, 400);
    this.camera.position.copy(center).addScaledVector(back, away);
    this.controls.target.copy(center);
    this.camera.lookAt(center);
    this.camera.updateProjectionMatrix();
  }

  private framed(seen: Spot[], back: Vector3): Frame {
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
      const aside = Math.max((Math.abs(off.dot(right)) + size) / wide, (Math.abs(off.dot(up)) + size) / (this.clear * high));
      away = Math.max(away, off.dot(back) + aside);
    }
    return { center, away: 1.06 * away };
  }
}
