// The 3D scene. It draws when something has changed, never by itself.
import {
  AmbientLight,
  DirectionalLight,
  Group,
  HemisphereLight,
  Matrix4,
  PerspectiveCamera,
  Scene,
  BasicShadowMap,
  Quaternion,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Arrows, DRAWN } from "./arrows";
import { Crowd } from "./crowd";
import type { Pose, Recording } from "./data";
import { element } from "./dom";
import { ScaleBar } from "./scale";
import { Sky } from "./sky";
import { Extras } from "./extras";
import { LoadArrows } from "./loads";
import { Marks } from "./marks";
import { Plumes } from "./plumes";
import { quality } from "./quality";
import { bodyGroup, setQuaternion } from "./shapes";
import { earthBelow, poseMatrix, type ViewName, Views } from "./views";

const GHOST = "#e0559d";
const SLOW = 30; // milliseconds between two frames from which on they are drawn with fewer pixels
const COARSEST = 0.35; // pixels drawn a pixel, at the least
const SMALL = 460; // pixels of height, below which what is written at top and bottom would hide the craft
const WRITTEN = 80; // that it takes
const REST = 180; // milliseconds without a change after which all pixels are drawn again

/** Are pictures computed by the processor? Then smooth edges cost more than they are worth. */
function software(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const named = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl && named ? String(gl.getParameter(named.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

export class Stage {
  readonly views: Views;
  readonly marks: Marks;
  readonly arrows: Arrows;
  readonly extras: Extras;
  readonly plumes: Plumes;
  readonly loads: LoadArrows;
  drawn = 0;
  time = 0;
  /** Where the view of the run's own camera is, in pixels from the top left. */
  inset: { x: number; y: number; width: number; height: number } | null = null;
  private readonly scene = new Scene();
  private readonly world = new Group();
  private readonly camera = new PerspectiveCamera(38, 1, 0.01, 1000);
  private readonly renderer: WebGLRenderer;
  private readonly controls: OrbitControls;
  private readonly bodies: Map<string, Group>[] = [];
  private readonly crowd: Crowd;
  private readonly sky: Sky;
  private readonly sun = new DirectionalLight(0xfff4e2, 2.5);
  private readonly toSun: Vector3;
  private readonly scaleBar = new ScaleBar();
  private readonly eye = new PerspectiveCamera(); // the run's own camera
  private eyeOn = true;
  private fixed = false;
  private readonly soft: boolean;
  private readonly frame = element("div", { class: "eye" }, element("span", {}, "camera"));
  private waiting = false;
  private detail = 1;
  private lastDraw = 0;
  private slow = 0;
  private rest = 0;
  private moved = false; // has somebody turned the camera?
  private readonly watch: ResizeObserver;

  constructor(private readonly holder: HTMLElement, private readonly runs: Recording[]) {
    this.soft = software();
    quality.fine = !this.soft;
    this.renderer = new WebGLRenderer({ antialias: !this.soft, powerPreference: "low-power", preserveDrawingBuffer: false });
    this.renderer.setPixelRatio(this.sharpness);
    this.renderer.debug.checkShaderErrors = false; // asking stops until every shader is compiled
    this.holder.prepend(this.renderer.domElement);
    this.renderer.domElement.setAttribute("aria-hidden", "true"); // #stage-text says what it shows
    this.camera.up.set(0, 0, 1);
    this.camera.layers.enable(DRAWN);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.addEventListener("change", () => this.redraw());
    const [run] = runs;
    this.views = new Views(run, this.camera, this.controls);
    const { sun } = run.data;
    this.toSun = sun ? new Vector3(...sun).normalize() : new Vector3(-5, -3.6, 5).normalize().applyQuaternion(earthBelow(run).invert());
    this.lights();
    this.scene.add(this.world);
    runs.forEach((each, k) => {
      const shown = new Map<string, Group>();
      for (const body of each.data.bodies) {
        const group = bodyGroup(body, each, k > 0 ? GHOST : undefined);
        shown.set(body.name, group);
        this.world.add(group);
      }
      this.bodies.push(shown);
    });
    this.crowd = new Crowd([...this.bodies[0].values()], this.world);
    this.sky = new Sky(run.data.orbit, this.toSun);
    this.sky.root.visible = !run.data.lab;
    this.renderer.setClearColor(run.data.lab ? "#161c26" : "#03060c");
    this.scene.add(this.sky.root);
    this.holder.append(this.scaleBar.root);
    this.marks = new Marks(runs, this.views, this.world, this.scene);
    this.arrows = new Arrows(run, this.views, this.world, this.scene);
    if (this.arrows.any) this.holder.append(this.arrows.key);
    this.plumes = new Plumes(run, this.bodies[0]);
    this.loads = new LoadArrows(run, this.views, this.bodies[0]);
    this.holder.append(this.loads.key);
    this.extras = new Extras(run, this.world);
    this.frame.hidden = true;
    this.holder.append(this.frame);
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(this.holder);
    this.controls.addEventListener("start", () => {
      this.moved = true;
      this.views.release();
    });
    this.resize();
    this.view("whole");
  }

  private lights(): void {
    const r = 1.5 * this.views.radius;
    const { shadow } = this.sun;
    shadow.mapSize.set(1024, 1024);
    Object.assign(shadow.camera, { left: -r, right: r, top: r, bottom: -r, near: 0.1 * r, far: 6 * r });
    shadow.normalBias = 0.004 * r;
    shadow.bias = -0.0006;
    this.renderer.shadowMap.type = BasicShadowMap;
    this.renderer.shadowMap.enabled = true;
    this.sun.castShadow = !this.soft;
    // light from Earth, and so that nothing is black
    this.scene.add(this.sun, this.sun.target, new HemisphereLight(0xcfdcff, 0x6f8fc0, 0.85), new AmbientLight(0xdde6ff, 0.12));
  }

  /** The run has gone on: whatever lasts as long as it does, again. */
  renew(): void {
    this.sky.renew(this.runs[0].data.orbit);
    if (this.views.renew() && !this.moved) this.views.choose(this.views.current);
    this.arrows.renew();
    if (this.arrows.any && !this.arrows.key.isConnected) this.holder.append(this.arrows.key);
    this.marks.anchored();
    this.arrows.anchored();
  }

  /** The end: another stage takes over. */
  close(): void {
    window.clearTimeout(this.rest);
    this.watch.disconnect();
    this.controls.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
    this.fixed = true;
  }

  view(name: ViewName): void {
    this.moved = false;
    this.views.choose(name);
    this.marks.anchored();
    this.arrows.anchored();
    this.show(this.time);
  }

  toggle(what: "earth" | "arrows" | "loads" | "trails" | "frames" | "names" | "eye", on: boolean): void {
    if (what === "loads") this.loads.toggle(on);
    else if (what === "earth") this.sky.showEarth(on);
    else if (what === "eye") this.eyeOn = on;
    else if (what === "arrows") this.arrows.toggle(on);
    else this.marks.toggle(what, on);
    this.show(this.time);
  }

  /** Put everything where it is at a time. */
  show(time: number): void {
    this.time = time;
    this.runs.forEach((run, k) => {
      for (const body of run.data.bodies) {
        const pose = run.pose(body, time);
        const group = this.bodies[k].get(body.name)!;
        group.position.set(...pose.position);
        setQuaternion(group.quaternion, pose.quaternion);
        const same = this.bodies[0].get(body.name)!; // a ghost that stands in its body would only tint it
        group.visible = k === 0 || group.position.distanceTo(same.position) > 1e-3 || group.quaternion.angleTo(same.quaternion) > 1e-3;
      }
    });
    this.crowd.show();
    const { anchor } = this.views;
    const inverse = poseMatrix(this.runs[0], anchor.body, time, anchor.turning).invert();
    inverse.premultiply(new Matrix4().makeRotationFromQuaternion(this.views.tilt));
    inverse.decompose(this.world.position, this.world.quaternion, this.world.scale);
    this.world.updateMatrixWorld();
    this.marks.show(time);
    this.arrows.show(time);
    this.plumes.show(time);
    this.loads.show(time);
    this.views.follow(time);
    this.extras.show(time);
    this.redraw();
  }

  /** The poses that are on the screen, read back from the scene. */
  poses(run = 0): Record<string, Pose> {
    const shown: Record<string, Pose> = {};
    for (const [name, { position: p, quaternion: q }] of this.bodies[run] ?? []) {
      shown[name] = { position: [p.x, p.y, p.z], quaternion: [q.w, q.x, q.y, q.z] };
    }
    return shown;
  }

  redraw(): void {
    if (this.waiting || this.fixed) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.pace();
      this.draw();
    });
  }

  private get sharpness(): number {
    return Math.min(window.devicePixelRatio, 2) * this.detail;
  }

  /** In motion, draw fewer pixels if frames take too long; at rest all of them, or half as many again where edges are rough. */
  private pace(): void {
    const now = performance.now();
    const passed = now - this.lastDraw;
    this.lastDraw = now;
    this.slow = passed < 500 && passed > SLOW ? this.slow + 1 : Math.max(0, this.slow - 0.5);
    if (this.slow >= 3 && this.detail > COARSEST) this.sharpen(Math.max(COARSEST, 0.7 * this.detail));
    window.clearTimeout(this.rest);
    if (this.detail > 1) this.sharpen(1);
    const calm = this.soft ? 1.5 : 1;
    if (this.detail < calm) this.rest = window.setTimeout(() => this.sharpen(calm), REST);
  }

  private sharpen(detail: number): void {
    const calmer = detail > this.detail;
    this.detail = detail;
    this.slow = 0;
    this.renderer.setPixelRatio(this.sharpness);
    this.sun.castShadow = !this.soft || detail > 1; // with the processor alone, only at rest
    if (calmer) this.draw();
  }

  /** Draw now. */
  draw(): void {
    this.waiting = false;
    this.drawn += 1;
    const toSun = this.toSun.clone().applyQuaternion(this.world.quaternion);
    this.sun.target.position.copy(this.controls.target);
    this.sun.position.copy(this.controls.target).addScaledVector(toSun, 4 * this.views.radius);
    this.sky.place(this.time, this.world.quaternion, this.camera);
    this.marks.size(this.camera);
    this.renderer.render(this.scene, this.camera);
    this.drawEye();
    if (this.fixed) return;
    this.scaleBar.show(this.perMetre());
    this.marks.label(this.camera, this.holder);
  }

  /** What the run's own camera sees, in a corner. */
  private drawEye(): void {
    const pose = this.eyeOn ? this.extras.eye(this.time) : null;
    this.inset = null;
    const size = this.renderer.getSize(new Vector2());
    this.frame.hidden = !pose || size.x < 520;
    if (!pose || (size.x < 520 && !this.fixed)) return;
    const width = Math.round(Math.min(240, (size.x < 700 ? 0.19 : 0.24) * size.x));
    const height = Math.round((width * Math.tan(pose.fov[1] / 2)) / Math.tan(pose.fov[0] / 2));
    const turn = setQuaternion(new Quaternion(), pose.quaternion).multiply(new Quaternion(1, 0, 0, 0)); // z ahead, y down
    this.eye.fov = (pose.fov[1] * 180) / Math.PI;
    this.eye.aspect = width / height;
    this.eye.near = 0.02;
    this.eye.far = 1000;
    this.eye.position.set(...pose.position).applyMatrix4(this.world.matrixWorld);
    this.eye.quaternion.copy(this.world.quaternion).multiply(turn);
    this.eye.updateProjectionMatrix();
    this.eye.updateMatrixWorld();
    this.extras.hideEye(true);
    this.marks.hide(true);
    const [x, y] = [size.x - width - 10, size.y - height - 10];
    this.renderer.setScissorTest(true);
    this.renderer.setScissor(x, y, width, height);
    this.renderer.setViewport(x, y, width, height);
    this.sky.place(this.time, this.world.quaternion, this.eye);
    this.renderer.shadowMap.autoUpdate = false; // the same shadows
    this.renderer.render(this.scene, this.eye);
    this.renderer.shadowMap.autoUpdate = true;
    this.renderer.setScissorTest(false);
    this.renderer.setViewport(0, 0, size.x, size.y);
    this.extras.hideEye(false);
    this.marks.hide(false);
    Object.assign(this.frame.style, { width: `${width}px`, height: `${height}px` });
    this.inset = { x, y: 10, width, height };
  }

  /** Pixels of a metre where the camera looks. */
  perMetre(): number {
    const away = this.camera.position.distanceTo(this.controls.target);
    return this.renderer.getSize(new Vector2()).y / (2 * away * Math.tan((this.camera.fov * Math.PI) / 360));
  }

  /** From now on draw only when asked, in this size. */
  fix(width: number, height: number): void {
    this.fixed = true;
    window.clearTimeout(this.rest);
    this.renderer.setPixelRatio(1);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.views.clear = 1;
    this.sun.castShadow = true;
    this.view(this.views.current);
  }

  /** The canvas, with the scene as it is at a time. */
  still(time: number): HTMLCanvasElement {
    this.show(time);
    this.draw();
    return this.renderer.domElement;
  }

  /** What is to be said of the moment shown. */
  words(): string {
    const { latches } = this.runs[0].data;
    const holding = this.marks.engaged(this.time);
    const held = latches.length ? (holding.length ? `Holding: ${holding.join(", ")}.` : "No latch holds.") : "";
    const blocked = this.extras.occluded(this.time) > 0.5 ? "Camera occluded." : "";
    return [held, this.arrows.words(), blocked, this.extras.certainty(this.time)].filter(Boolean).join(" ");
  }

  /** Earth's direction in the camera's axes (x right, y up, z out of the screen), or null. */
  toEarth(): Vector3 | null {
    return this.sky.toward(this.time, this.camera, this.world.quaternion);
  }

  onCamera(listener: () => void): void {
    this.controls.addEventListener("change", listener);
  }

  private resize(): void {
    if (this.fixed) return;
    const { clientWidth: width, clientHeight: height } = this.holder;
    if (!width || !height) return;
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.renderer.setSize(width, height);
    this.views.clear = height < SMALL ? 1 - WRITTEN / height : 1;
    if (this.drawn) this.draw(); // at once, or the canvas would flash
    else this.redraw();
  }
}
