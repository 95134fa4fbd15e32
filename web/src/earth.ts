// Earth behind the scene, of its true size in the sky: rings about the direction of its centre, coloured at their
// vertices. (A shader that colours each pixel by its direction took a third of a frame where there is no GPU.)
import { BufferAttribute, BufferGeometry, Color, DoubleSide, Mesh, type PerspectiveCamera, type Quaternion, ShaderMaterial, Vector3 } from "three";
import type { Orbit, Vec3 } from "./data";

const VERTEX = `attribute vec3 shade; varying vec3 seen;
  void main() {
    seen = shade;
    vec4 at = projectionMatrix * vec4(mat3(viewMatrix) * mat3(modelMatrix) * position, 1.0);
    gl_Position = vec4(at.xy, 0.999 * at.w, at.w);
  }`;
const FRAGMENT = "varying vec3 seen; void main() { gl_FragColor = vec4(seen, 1.0); }";
const ROUND = 96;
const GROUND = 7;
const AIR = 6;
const HAZE = 0.13; // cosine from the limb to where the air ends

export class Earth {
  readonly backdrop: Mesh;
  private readonly near = new Color();
  private readonly limb = new Color();
  private readonly glow = new Color();
  private readonly space = new Color();
  private sine = 0;

  constructor(private readonly orbit: Orbit) {
    const material = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, depthTest: false, depthWrite: false, side: DoubleSide });
    this.backdrop = new Mesh(new BufferGeometry(), material);
    this.backdrop.renderOrder = -1;
    this.backdrop.frustumCulled = false;
  }

  paint(dark: boolean, space: string): void {
    this.near.set(dark ? "#0b2545" : "#b9d3ea");
    this.limb.set(dark ? "#3d7cc0" : "#dbe9f5");
    this.glow.set(dark ? "#6fb1f2" : "#ffffff");
    this.space.set(space);
    this.sine = 0; // anew when it is placed
  }

  /** Show it as it is at a time, in a world that is turned by `turn`. */
  place(time: number, turn: Quaternion): void {
    const r = this.radiusAt(time);
    const sine = Math.min(1, this.orbit.earth_radius / Math.hypot(...r));
    if (Math.abs(sine - this.sine) > 1e-4) this.build(sine);
    const down = new Vector3(...r).normalize().negate().applyQuaternion(turn);
    this.backdrop.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), down);
  }

  /** Rings about +z. A ray at the angle a from it meets the ground, whose limb is at b, at a slant of sine sin a / sin b. */
  private build(sine: number): void {
    this.sine = sine;
    const cosine = Math.sqrt(1 - sine * sine);
    const rings: [number, Color][] = [];
    for (let k = 0; k <= GROUND; k++) {
      const slant = k / GROUND; // 1 − cosine of it
      const s = sine * Math.sqrt(1 - (1 - slant) ** 2);
      rings.push([Math.sqrt(1 - s * s), this.near.clone().lerp(this.limb, slant * slant)]);
    }
    for (let k = 0; k <= AIR; k++) {
      const up = k / AIR;
      const thin = (1 - up) ** 2 * (1 + 2 * up); // smooth from 1 to 0
      rings.push([cosine - HAZE * up, this.space.clone().lerp(this.glow, 0.6 * thin)]);
    }
    const places: number[] = [];
    const shades: number[] = [];
    const faces: number[] = [];
    rings.forEach(([c, color], ring) => {
      const shade = color.clone().convertLinearToSRGB().toArray();
      const s = Math.sqrt(1 - c * c);
      for (let k = 0; k < ROUND; k++) {
        const angle = (2 * Math.PI * k) / ROUND;
        places.push(s * Math.cos(angle), s * Math.sin(angle), c);
        shades.push(...shade);
        const [a, b] = [ring * ROUND + k, ring * ROUND + ((k + 1) % ROUND)];
        if (ring) faces.push(a - ROUND, b - ROUND, a, a, b - ROUND, b);
      }
    });
    const { geometry } = this.backdrop;
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
    geometry.setAttribute("shade", new BufferAttribute(new Float32Array(shades), 3));
    geometry.setIndex(faces);
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
