// Earth behind the scene, of its true size in the sky, with meridians so that its passing can be seen.
import { BackSide, Color, Mesh, PerspectiveCamera, type Quaternion, Scene, ShaderMaterial, SphereGeometry } from "three";
import type { Orbit, Vec3 } from "./data";

const AWAY = 100; // in a scene of its own, seen from its origin: only the angle that Earth fills matters

const VERTEX = `varying vec3 n; varying vec3 e; varying vec3 o;
  void main() { vec4 p = modelViewMatrix * vec4(position, 1.0); e = normalize(-p.xyz); o = normalize(position);
  n = normalize(normalMatrix * normal); gl_Position = projectionMatrix * p; }`;

const GROUND = `uniform vec3 near; uniform vec3 limb; uniform vec3 lines; varying vec3 n; varying vec3 e; varying vec3 o;
  float line(float x) { return 1.0 - smoothstep(0.6, 1.4, abs(fract(x - 0.5) - 0.5) / max(fwidth(x), 1e-6)); }
  void main() {
    float rim = 1.0 - max(dot(normalize(n), normalize(e)), 0.0);
    float grid = max(line(atan(o.y, o.x) * 3.8197186), line(asin(clamp(o.z, -1.0, 1.0)) * 3.8197186));
    gl_FragColor = vec4(mix(mix(near, limb, pow(rim, 2.4)), lines, 0.22 * grid * (1.0 - rim)), 1.0);
    #include <colorspace_fragment>
  }`; // 3.82 lines a radian: one every 15 degrees

const AIR = `uniform vec3 glow; varying vec3 n; varying vec3 e;
  void main() {
    gl_FragColor = vec4(glow, 0.6 * smoothstep(0.0, 0.17, abs(dot(normalize(n), normalize(e)))));
    #include <colorspace_fragment>
  }`;

export class Earth {
  readonly sky = new Scene();
  readonly eye = new PerspectiveCamera(50, 1, 0.1, 1000);
  private readonly colors = { near: new Color(), limb: new Color(), lines: new Color(), glow: new Color() };

  constructor(private readonly orbit: Orbit) {
    const radius = (AWAY * orbit.earth_radius) / Math.hypot(...orbit.radius[0]);
    const uniforms = Object.fromEntries(Object.entries(this.colors).map(([name, value]) => [name, { value }]));
    const flat = { uniforms, vertexShader: VERTEX, depthTest: false, depthWrite: false };
    const ground = new Mesh(new SphereGeometry(radius, 128, 96), new ShaderMaterial({ ...flat, fragmentShader: GROUND }));
    const haze = new ShaderMaterial({ ...flat, fragmentShader: AIR, transparent: true, side: BackSide });
    const air = new Mesh(new SphereGeometry(radius * 1.013, 128, 96), haze);
    ground.material.transparent = true; // or else it would be drawn before the air, whatever their order
    air.renderOrder = -12;
    ground.renderOrder = -11;
    air.frustumCulled = ground.frustumCulled = false;
    this.sky.add(air, ground);
  }

  paint(dark: boolean): void {
    this.colors.near.set(dark ? "#0b2545" : "#b9d3ea");
    this.colors.limb.set(dark ? "#3d7cc0" : "#dbe9f5");
    this.colors.lines.set(dark ? "#8fc0f5" : "#4d7ba6");
    this.colors.glow.set(dark ? "#6fb1f2" : "#ffffff");
  }

  /** Put it where it is at a time, seen as `camera` looks at a world that is turned by `turn`. */
  place(time: number, camera: PerspectiveCamera, turn: Quaternion): void {
    const r = this.radiusAt(time);
    for (const part of this.sky.children) {
      part.position.set(...r).multiplyScalar(-AWAY / Math.hypot(...r)).applyQuaternion(turn);
      part.quaternion.copy(turn);
    }
    this.eye.quaternion.copy(camera.quaternion);
    this.eye.fov = camera.fov;
    this.eye.aspect = camera.aspect;
    this.eye.updateProjectionMatrix();
  }

  /** From Earth's centre to the reference point (m). */
  radiusAt(time: number): Vec3 {
    const { times, radius } = this.orbit;
    const [k, s] = between(times, time);
    return radius[k].map((x, i) => (1 - s) * x + s * radius[Math.min(k + 1, times.length - 1)][i]) as Vec3;
  }
}

/** Index and fraction of a time in evenly spaced ones. */
export function between(times: number[], time: number): [number, number] {
  const last = times.length - 1;
  const span = times[last] - times[0];
  const at = span > 0 ? Math.min(last, Math.max(0, ((time - times[0]) / span) * last)) : 0;
  const k = Math.min(Math.floor(at), Math.max(last - 1, 0));
  return [k, at - k];
}
