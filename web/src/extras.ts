// What a scenario may add (softdock/replay/extras.py): a camera, what it measures, an estimated body.
import {
  BufferGeometry,
  Float32BufferAttribute,
  type Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  Points,
  PointsMaterial,
  SphereGeometry,
} from "three";
import { type Pose, type PoseTrack, type Recording, rowAt } from "./data";
import { bodyGroup, setQuaternion } from "./shapes";

const CLEAR = new MeshBasicMaterial({ visible: false });
const SEES = 0x2f9e6e;
const BLIND = 0xd64545;
const STALE = 2.5; // times the usual spacing of rows after which what they say is no longer shown

export class Extras {
  private readonly camera?: LineSegments;
  private looking = true;
  private readonly scan?: Points;
  private readonly estimate?: Object3D;
  private readonly doubt?: Mesh;

  constructor(private readonly run: Recording, world: Group) {
    const { camera, scan, estimate } = run.data.extras;
    if (camera) {
      this.camera = new LineSegments(frustum(camera.fov, camera.range), new LineBasicMaterial({ color: SEES }));
      world.add(this.camera);
    }
    if (scan) {
      const [x, y, z] = scan.points.map((channel) => run.channels[channel]);
      const points = new Float32Array(3 * x.length);
      for (let k = 0; k < x.length; k++) points.set([x[k], y[k], z[k]], 3 * k);
      const geometry = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(points, 3));
      const look = new PointsMaterial({ color: 0xffd21f, size: 3, sizeAttenuation: false });
      look.onBeforeCompile = (shader) => { // a little nearer, or half of them would be hidden in the surface
        shader.vertexShader = shader.vertexShader.replace("#include <fog_vertex>", "gl_Position.z -= 4e-5 * gl_Position.w;");
      };
      this.scan = new Points(geometry, look);
      this.scan.frustumCulled = false;
      world.add(this.scan);
    }
    const body = run.data.bodies.find((entry) => entry.name === estimate?.body);
    if (estimate && body) {
      this.estimate = bodyGroup(body, run, "#a05be0");
      const look = { color: 0xa05be0, wireframe: true, transparent: true, opacity: 0.45, depthTest: false };
      this.doubt = new Mesh(new SphereGeometry(1, 12, 8), new MeshBasicMaterial(look));
      this.doubt.renderOrder = 4; // also where it is inside the body
      world.add(this.estimate, this.doubt);
    }
  }

  /** How much of the view is blocked at a time (0 to 1), if that was recorded. */
  occluded(time: number): number {
    const { camera } = this.run.data.extras;
    if (camera?.occluded === undefined) return 0;
    return this.run.channels[camera.occluded][rowAt(this.run.channels[camera.t], time)];
  }

  /** Stretches of time in which more than half of the view is blocked. */
  blind(): [number, number][] {
    const { camera } = this.run.data.extras;
    if (camera?.occluded === undefined) return [];
    const t = this.run.channels[camera.t];
    const found: [number, number][] = [];
    this.run.channels[camera.occluded].forEach((x, k) => {
      if (x <= 0.5) return;
      const until = t[Math.min(k + 1, t.length - 1)];
      const last = found.at(-1);
      if (last && last[1] >= t[k]) last[1] = until;
      else found.push([t[k], until]);
    });
    return found;
  }

  /** How sure the estimate is at a time, in words; nothing if there is none. */
  certainty(time: number): string {
    const { estimate } = this.run.data.extras;
    if (!estimate || !fresh(this.run.channels[estimate.t], time)) return "";
    const sigma = [estimate.sigma_x, estimate.sigma_y, estimate.sigma_z].filter((channel) => channel !== undefined);
    if (!sigma.length) return "";
    const row = rowAt(this.run.channels[estimate.t], time);
    const largest = 3000 * Math.max(...sigma.map((channel) => this.run.channels[channel][row]));
    return `The estimator claims ${largest < 10 ? largest.toPrecision(2) : largest.toFixed(0)} mm (3 σ).`;
  }

  /** Is the camera in use? If it was not recorded when it is blocked, that is while there are scans. */
  private looks(time: number): boolean {
    const { camera, scan } = this.run.data.extras;
    return camera?.occluded !== undefined || !scan || fresh(this.run.channels[scan.t], time);
  }

  /** Where the camera is at a time, and what it takes in. */
  eye(time: number): (Pose & { fov: [number, number] }) | null {
    const { camera } = this.run.data.extras;
    return camera && this.looks(time) ? { ...this.run.track(camera, time), fov: camera.fov } : null;
  }

  hideEye(hidden: boolean): void {
    if (this.camera) this.camera.visible = !hidden && this.looking;
    if (this.estimate && hidden) this.estimate.visible = this.doubt!.visible = false;
  }

  show(time: number): void {
    const { camera, scan, estimate } = this.run.data.extras;
    if (camera && this.camera) {
      this.put(this.camera, camera, time);
      this.camera.visible = this.looking = this.looks(time);
      (this.camera.material as LineBasicMaterial).color.set(this.occluded(time) > 0.5 ? BLIND : SEES);
    }
    if (scan && this.scan) {
      const t = this.run.channels[scan.t];
      const starts = this.run.channels[scan.starts];
      const k = rowAt(t, time);
      const end = k + 1 < starts.length ? starts[k + 1] : Infinity;
      this.scan.geometry.setDrawRange(starts[k], end - starts[k]);
      this.scan.visible = fresh(t, time);
    }
    if (estimate && this.estimate && this.doubt) {
      this.put(this.estimate, estimate, time);
      this.estimate.visible = fresh(this.run.channels[estimate.t], time);
      this.estimate.traverse((part) => { // where it stands in the body, only edges: faces of both would flicker
        if (part.name === "tint") (part as Mesh).material = this.standsIn(estimate, time) ? CLEAR : (part.userData.look ??= (part as Mesh).material);
      });
      const row = rowAt(this.run.channels[estimate.t], time);
      const sigma = [estimate.sigma_x, estimate.sigma_y, estimate.sigma_z];
      const sizes = sigma.map((channel) => (channel === undefined ? 0 : 3 * this.run.channels[channel][row]));
      this.doubt.visible = this.estimate.visible && Math.max(...sizes) > 0;
      this.doubt.position.copy(this.estimate.position);
      this.doubt.scale.set(...(sizes.map((size) => Math.max(size, 1e-6)) as [number, number, number]));
    }
  }

  private standsIn(estimate: PoseTrack & { body: string }, time: number): boolean {
    const body = this.run.data.bodies.find((entry) => entry.name === estimate.body);
    if (!body) return false;
    const [a, b] = [this.run.pose(body, time), this.run.track(estimate, time)];
    const dot = Math.abs(a.quaternion.reduce((sum, x, k) => sum + x * b.quaternion[k], 0));
    return Math.hypot(...a.position.map((x, k) => x - b.position[k])) < 0.02 && 2 * Math.acos(Math.min(1, dot)) < 0.02;
  }

  private put(object: Object3D, track: PoseTrack, time: number): void {
    const pose = this.run.track(track, time);
    object.position.set(...pose.position);
    setQuaternion(object.quaternion, pose.quaternion);
  }
}

/** Is there a row of late? Rows are as far apart as usual in the recording. */
function fresh(t: Float64Array, time: number): boolean {
  const usual = t.length > 1 ? (t[t.length - 1] - t[0]) / (t.length - 1) : Infinity;
  return time >= t[0] - 1e-9 && time - t[rowAt(t, time)] <= STALE * usual;
}

/** Edges of what a camera sees: z ahead, x right, y down. */
function frustum([across, down]: [number, number], range: number): BufferGeometry {
  const x = range * Math.tan(across / 2);
  const y = range * Math.tan(down / 2);
  const corners = [[-x, -y], [x, -y], [x, y], [-x, y]].map(([a, b]) => [a, b, range]);
  const lines = corners.flatMap((corner, k) => [0, 0, 0, ...corner, ...corner, ...corners[(k + 1) % 4]]);
  return new BufferGeometry().setAttribute("position", new Float32BufferAttribute(lines, 3));
}
