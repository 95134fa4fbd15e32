// What is drawn about the bodies: ways gone, latches, frames, names.
import {
  AxesHelper,
  BufferGeometry,
  type Camera,
  Float32BufferAttribute,
  Group,
  Line,
  LineBasicMaterial,
  LineDashedMaterial,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  type PerspectiveCamera,
  type Scene,
  SphereGeometry,
  Vector3,
} from "three";
import type { Body, Place, Recording } from "./data";
import { setQuaternion } from "./shapes";
import { poseMatrix, reach, type Views } from "./views";

const MOST = 800;
const LASTS = 120; // seconds of the way gone that are seen: all loops of a long mission would be a tangle
const SPOT = 0.022; // radius of a latch's spot, of half the picture's height

interface Trail {
  line: Line;
  run: Recording;
  body: Body;
}

function rowsOf(run: Recording): number {
  return Math.min(MOST, run.t.length);
}

export class Marks {
  private readonly trails: Trail[] = [];
  private readonly latches: { name: string; spot: Mesh; line: Line; most: number; a: Object3D; b: Object3D }[] = [];
  private readonly frames: { place: Place; axes: Object3D }[] = [];
  private readonly names: { body: Body; label: HTMLElement }[] = [];
  private readonly run: Recording;
  private readonly near = new Group(); // in the anchor's frame
  private showNames = false;
  private time = 0;

  constructor(runs: Recording[], private readonly views: Views, private readonly world: Group, scene: Scene) {
    [this.run] = runs;
    scene.add(this.near);
    runs.forEach((run, k) => this.addTrails(run, k));
    this.addLatches();
    for (const place of this.run.data.frames) this.frames.push({ place, axes: this.axes(0.09) });
    for (const body of this.run.data.bodies) {
      const label = document.createElement("span");
      label.className = "name";
      label.textContent = body.name;
      this.names.push({ body, label });
    }
  }

  private axes(size: number): Object3D {
    const axes = new AxesHelper(size * this.views.radius);
    axes.visible = false;
    this.world.add(axes);
    return axes;
  }

  /** Ways of bodies that move by themselves and of the ends of arms. */
  private addTrails(run: Recording, k: number): void {
    for (const body of run.data.bodies.filter((body) => body.trail)) {
      const material = new LineBasicMaterial({ color: k ? 0xe0559d : body.color, transparent: true, opacity: 0.9 });
      const line = new Line(new BufferGeometry(), material);
      line.frustumCulled = false;
      this.near.add(line);
      this.trails.push({ line, run, body });
    }
  }

  private addLatches(): void {
    for (const latch of this.run.data.latches) {
      const spot = new Mesh(
        new SphereGeometry(1, 20, 14),
        new MeshBasicMaterial({ transparent: true, opacity: 0.9, depthTest: false }),
      );
      const geometry = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(new Float32Array(6), 3));
      const most = Math.min(...[latch.a, latch.b].map((end) => this.reachOf(end.body)));
      const size = 0.06 * most;
      const line = new Line(geometry, new LineDashedMaterial({ color: 0x8a93a3, dashSize: size, gapSize: size }));
      line.frustumCulled = false;
      spot.renderOrder = 5;
      this.world.add(spot, line);
      this.latches.push({ name: latch.name, spot, line, most: 0.18 * most, a: new Object3D(), b: new Object3D() });
    }
  }

  /** How far a body goes from its origin (m); of one without shapes, what is looked at. */
  private reachOf(name: string): number {
    const body = this.run.data.bodies.find((entry) => entry.name === name);
    return Math.min((body && reach(body)) || Infinity, this.views.radius);
  }

  /** Spots of latches of one size on the screen, but none as large as what it is on. */
  size(camera: PerspectiveCamera): void {
    const at = new Vector3();
    for (const { spot, most } of this.latches) {
      const away = spot.getWorldPosition(at).distanceTo(camera.position);
      spot.scale.setScalar(Math.min(most, SPOT * away * Math.tan((camera.fov * Math.PI) / 360)) * (spot.userData.holds ? 1 : 0.6));
    }
  }

  /** Away with all of it, while the run's own camera looks; and back. */
  hide(hidden: boolean): void {
    this.near.visible = !hidden;
    for (const { spot, line } of this.latches) {
      if (hidden) [spot.userData.on, line.userData.on] = [spot.visible, line.visible];
      spot.visible = !hidden && spot.userData.on;
      line.visible = !hidden && line.userData.on;
    }
  }

  toggle(what: "trails" | "frames" | "names", on: boolean): void {
    if (what === "trails") for (const { line } of this.trails) line.visible = on;
    if (what === "frames") for (const { axes } of this.frames) axes.visible = on;
    if (what === "names") this.showNames = on;
  }

  /** Ways again, as seen from a new anchor. */
  anchored(): void {
    const { anchor } = this.views;
    for (const { line, run, body } of this.trails) {
      const rows = run === this.run && body === anchor.body ? 1 : rowsOf(run); // it has no way in its own frame
      const points = new Float32Array(3 * rows);
      for (let k = 0; k < rows; k++) {
        const time = run.t[rows > 1 ? Math.round((k * (run.t.length - 1)) / (rows - 1)) : 0];
        const inverse = poseMatrix(this.run, anchor.body, time, anchor.turning).invert();
        new Vector3(...run.pose(body, time).position).applyMatrix4(inverse).toArray(points, 3 * k);
      }
      line.geometry.setAttribute("position", new Float32BufferAttribute(points, 3));
    }
    this.near.quaternion.copy(this.views.tilt);
  }

  /** Names of the latches that hold at a time. */
  engaged(time: number): string[] {
    const holding = new Set(this.run.data.engaged);
    for (const event of this.run.data.events) {
      if (event.time > time + 1e-9) break;
      if (event.kind === "engaged") holding.add(event.latch);
      if (event.kind === "released") holding.delete(event.latch);
    }
    return [...holding];
  }

  show(time: number): void {
    this.time = time;
    for (const { line, run } of this.trails) {
      const rows = rowsOf(run);
      const row = (t: number) => Math.round(((t - run.t[0]) / Math.max(run.end - run.t[0], 1e-12)) * (rows - 1));
      const [from, to] = [Math.max(0, row(time - LASTS)), Math.min(rows, row(time) + 1)];
      line.geometry.setDrawRange(from, Math.max(0, to - from));
    }
    const holding = this.engaged(time);
    this.run.data.latches.forEach((latch, k) => this.showLatch(k, latch, holding.includes(latch.name), time));
    for (const { place, axes } of this.frames) this.put(axes, place, time);
  }

  private showLatch(k: number, latch: { a: Place; b: Place }, holds: boolean, time: number): void {
    const { spot, line, most, a, b } = this.latches[k];
    this.put(a, latch.a, time);
    this.put(b, latch.b, time);
    spot.position.copy(a.position);
    (spot.material as MeshBasicMaterial).color.set(holds ? 0x1fae7a : 0x8a93a3);
    spot.userData.holds = holds;
    const ends = line.geometry.attributes.position;
    ends.setXYZ(0, ...a.position.toArray());
    ends.setXYZ(1, ...b.position.toArray());
    ends.needsUpdate = true;
    line.computeLineDistances();
    line.visible = !holds && a.position.distanceTo(b.position) < 10 * most;
  }

  private put(object: Object3D, place: Place, time: number): void {
    object.position.set(...place.position);
    setQuaternion(object.quaternion, place.quaternion);
    const body = this.run.data.bodies.find((entry) => entry.name === place.body);
    if (!body) return;
    const pose = poseMatrix(this.run, body, time);
    object.position.applyMatrix4(pose);
    object.quaternion.premultiply(setQuaternion(object.quaternion.clone(), this.run.pose(body, time).quaternion));
  }

  label(camera: Camera, holder: HTMLElement): void {
    for (const { body, label } of this.names) {
      if (!this.showNames && !body.main) {
        label.remove();
        continue;
      }
      const place = new Vector3(...this.run.pose(body, this.time).position).applyMatrix4(this.world.matrixWorld);
      place.project(camera);
      label.hidden = Math.abs(place.x) > 1 || Math.abs(place.y) > 1 || place.z > 1;
      const x = ((place.x + 1) / 2) * holder.clientWidth;
      const y = ((1 - place.y) / 2) * holder.clientHeight;
      label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      if (!label.isConnected) holder.append(label);
    }
  }
}
