// The 3D scene. It draws when something has changed, never by itself.
import {
  AmbientLight,
  DirectionalLight,
  Group,
  HemisphereLight,
  Matrix4,
  PerspectiveCamera,
  Scene,
  type Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Arrows } from "./arrows";
import type { Pose, Recording } from "./data";
import { Earth } from "./earth";
import { Extras } from "./extras";
import { Marks } from "./marks";
import { bodyGroup, setQuaternion } from "./shapes";
import { poseMatrix, type ViewName, Views } from "./views";

const GHOST = "#e0559d";
const SLOW = 30; // milliseconds between two frames from which on they are drawn with fewer pixels
const COARSEST = 0.35; // pixels drawn a pixel, at the least
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
  drawn = 0;
  time = 0;
  private readonly scene = new Scene();
  private readonly world = new Group();
  private readonly camera = new PerspectiveCamera(38, 1, 0.01, 1000);
  private readonly renderer: WebGLRenderer;
  private readonly controls: OrbitControls;
  private readonly bodies: Map<string, Group>[] = [];
  private readonly earth: Earth | null;
  private readonly soft: boolean;
  private waiting = false;
  private detail = 1;
  private lastDraw = 0;
  private slow = 0;
  private rest = 0;

  constructor(private readonly holder: HTMLElement, private readonly runs: Recording[]) {
    this.soft = software();
    this.renderer = new WebGLRenderer({ antialias: !this.soft, powerPreference: "low-power" });
    this.renderer.setPixelRatio(this.sharpness);
    this.renderer.debug.checkShaderErrors = false; // asking stops until every shader is compiled
    this.holder.prepend(this.renderer.domElement);
    this.renderer.domElement.setAttribute("aria-hidden", "true"); // #stage-text says what it shows
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.addEventListener("change", () => this.redraw());
    const [run] = runs;
    this.views = new Views(run, this.camera, this.controls);
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
    this.earth = run.data.orbit ? new Earth(run.data.orbit) : null;
    if (this.earth) this.scene.add(this.earth.backdrop);
    this.marks = new Marks(runs, this.views, this.world, this.scene);
    this.arrows = new Arrows(run, this.views, this.world, this.scene);
    if (this.arrows.any) this.holder.append(this.arrows.key);
    this.extras = new Extras(run, this.world);
    new ResizeObserver(() => this.resize()).observe(this.holder);
    this.resize();
    this.view("whole");
  }

  private lights(): void {
    const sun = new DirectionalLight(0xfff1dc, 2.9);
    sun.position.set(-5, -3.6, 5);
    const back = new DirectionalLight(0x9fc4ff, 0.7);
    back.position.set(4, 3, -2);
    this.scene.add(sun, back, new HemisphereLight(0xdfe9ff, 0x39424f, 0.85), new AmbientLight(0xdde6ff, 0.2));
  }

  paint(dark: boolean): void {
    const space = dark ? "#070b12" : "#eef2f7";
    this.renderer.setClearColor(space);
    this.earth?.paint(dark, space);
    this.marks.paint(dark);
    this.redraw();
  }

  view(name: ViewName): void {
    this.views.choose(name);
    this.marks.anchored();
    this.arrows.anchored();
    this.show(this.time);
  }

  toggle(what: "earth" | "arrows" | "trails" | "frames" | "names", on: boolean): void {
    if (what === "earth") this.earth && (this.earth.backdrop.visible = on);
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
    const { anchor } = this.views;
    const inverse = poseMatrix(this.runs[0], anchor.body, time, anchor.turning).invert();
    inverse.premultiply(new Matrix4().makeRotationFromQuaternion(this.views.tilt));
    inverse.decompose(this.world.position, this.world.quaternion, this.world.scale);
    this.world.updateMatrixWorld();
    this.marks.show(time);
    this.arrows.show(time);
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
    if (this.waiting) return;
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
    if (calmer) this.draw();
  }

  /** Draw now. */
  draw(): void {
    this.waiting = false;
    this.drawn += 1;
    this.earth?.place(this.time, this.world.quaternion);
    this.renderer.render(this.scene, this.camera);
    this.marks.label(this.camera, this.holder);
  }

  /** Earth's direction in the camera's axes (x right, y up, z out of the screen), or null. */
  toEarth(): Vector3 | null {
    return this.earth?.toward(this.time, this.camera, this.world.quaternion) ?? null;
  }

  onCamera(listener: () => void): void {
    this.controls.addEventListener("change", listener);
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.holder;
    if (!width || !height) return;
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.renderer.setSize(width, height);
    if (this.drawn) this.draw(); // at once, or the canvas would flash
    else this.redraw();
  }
}
