// Earth behind the scene, of its true size in the sky: one rectangle behind everything, coloured by direction.
import { Color, Mesh, type PerspectiveCamera, PlaneGeometry, type Quaternion, ShaderMaterial, Vector2, Vector3 } from "three";
import type { Orbit, Vec3 } from "./data";

const VERTEX = `uniform vec2 field; varying vec3 ray;
  void main() { ray = vec3(position.xy * field, -1.0); gl_Position = vec4(position.xy, 1.0, 1.0); }`;

// With a the angle between the ray and Earth's centre and b that of the limb, the ray meets the ground at an angle to
// the vertical whose sine is sin a / sin b.
const FRAGMENT = `uniform vec3 near; uniform vec3 limb; uniform vec3 glow; uniform vec3 space;
  uniform vec3 down; uniform float sine; uniform float cosine; varying vec3 ray;
  void main() {
    float c = dot(normalize(ray), down);
    float grazing = 1.0 - sqrt(max(0.0, 1.0 - (1.0 - c * c) / (sine * sine)));
    vec3 ground = mix(near, limb, grazing * grazing);
    vec3 air = mix(space, glow, 0.6 * smoothstep(-0.13, 0.0, c - cosine));
    gl_FragColor = vec4(mix(air, ground, smoothstep(-0.001, 0.001, c - cosine)), 1.0);
    #include <colorspace_fragment>
  }`;

export class Earth {
  readonly backdrop: Mesh;
  private readonly uniforms = {
    near: { value: new Color() },
    limb: { value: new Color() },
    glow: { value: new Color() },
    space: { value: new Color() },
    field: { value: new Vector2() },
    down: { value: new Vector3() },
    sine: { value: 0 },
    cosine: { value: 0 },
  };

  constructor(private readonly orbit: Orbit) {
    const material = new ShaderMaterial({
      uniforms: this.uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT, depthTest: false, depthWrite: false,
    });
    this.backdrop = new Mesh(new PlaneGeometry(2, 2), material);
    this.backdrop.renderOrder = -1;
    this.backdrop.frustumCulled = false;
  }

  paint(dark: boolean, space: string): void {
    this.uniforms.near.value.set(dark ? "#0b2545" : "#b9d3ea");
    this.uniforms.limb.value.set(dark ? "#3d7cc0" : "#dbe9f5");
    this.uniforms.glow.value.set(dark ? "#6fb1f2" : "#ffffff");
    this.uniforms.space.value.set(space);
  }

  /** Show it as it is at a time, as `camera` looks at a world that is turned by `turn`. */
  place(time: number, camera: PerspectiveCamera, turn: Quaternion): void {
    const { down, field, sine, cosine } = this.uniforms;
    const r = this.radiusAt(time);
    down.value.copy(this.toward(time, camera, turn));
    sine.value = Math.min(1, this.orbit.earth_radius / Math.hypot(...r));
    cosine.value = Math.sqrt(1 - sine.value ** 2);
    const half = Math.tan((camera.fov * Math.PI) / 360);
    field.value.set(half * camera.aspect, half);
  }

  /** Direction of Earth's centre in the camera's axes (x right, y up, z out of the screen). */
  toward(time: number, camera: PerspectiveCamera, turn: Quaternion): Vector3 {
    const away = new Vector3(...this.radiusAt(time)).normalize().applyQuaternion(turn);
    return away.negate().applyQuaternion(camera.quaternion.clone().invert());
  }

  /** From Earth's centre to the reference point (m). */
  private radiusAt(time: number): Vec3 {
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
