// Space behind the scene: stars, the Sun, and Earth of its true size in the sky: rings about the direction of its centre,
// whose vertices are coloured by the ground that is seen there: land, sea and clouds from noise, lit by the Sun. (A shader
// that does this for each pixel took a third of a frame where there is no GPU.)
import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  Matrix3,
  Matrix4,
  Mesh,
  type PerspectiveCamera,
  Points,
  PointsMaterial,
  type Quaternion,
  ShaderMaterial,
  Sprite,
  SpriteMaterial,
  Vector3,
} from "three";
import type { Orbit, Vec3 } from "./data";
import { segments } from "./quality";

const VERTEX = `uniform vec3 from; uniform vec3 sun; uniform mat3 world; varying vec4 seen;
  float hash(vec3 p) { p = fract(p * 0.3183099 + 0.1); p *= 17.0; return fract(p.x * p.y * p.z * (p.x + p.y + p.z)); }
  float noise(vec3 x) {
    vec3 i = floor(x), f = fract(x); f = f * f * (3.0 - 2.0 * f);
    return mix(mix(mix(hash(i), hash(i + vec3(1,0,0)), f.x), mix(hash(i + vec3(0,1,0)), hash(i + vec3(1,1,0)), f.x), f.y),
               mix(mix(hash(i + vec3(0,0,1)), hash(i + vec3(1,0,1)), f.x), mix(hash(i + vec3(0,1,1)), hash(i + vec3(1,1,1)), f.x), f.y), f.z);
  }
  float cloudy(vec3 p) { float s = 0.0, a = 0.5; for (int k = 0; k < 4; k++) { s += a * noise(p); p = 2.03 * p + 7.1; a *= 0.5; } return s; }
  void main() {
    vec4 at = projectionMatrix * vec4(mat3(viewMatrix) * mat3(modelMatrix) * position, 1.0);
    gl_Position = vec4(at.xy, 0.99995 * at.w, at.w);
    seen = vec4(0.0);
    if (at.w < 0.0 || max(abs(at.x), abs(at.y)) > 1.7 * at.w) return; // no triangle of it is in the picture
    vec3 ray = normalize(world * position);
    float b = dot(from, ray), c = dot(from, from) - 1.0, d = b * b - c;
    vec3 color; float alpha = 1.0;
    if (d > 0.0 && b < 0.0) {
      vec3 n = normalize(from - (b + sqrt(d)) * ray);
      float land = smoothstep(0.50, 0.56, cloudy(2.1 * n + 3.7));
      vec3 ground = mix(vec3(0.012, 0.055, 0.16), mix(vec3(0.10, 0.13, 0.05), vec3(0.30, 0.24, 0.13), noise(9.0 * n)), land);
      ground = mix(ground, vec3(0.85), smoothstep(0.72, 0.9, abs(n.z)));
      float day = dot(n, sun), lit = smoothstep(-0.08, 0.35, day);
      float cloud = smoothstep(0.50, 0.78, cloudy(vec3(14.0, 14.0, 26.0) * n + 1.5 * noise(5.0 * n)));
      color = mix(ground, vec3(0.92, 0.94, 0.97), 0.85 * cloud) * (0.02 + 0.95 * lit);
      color += vec3(0.9, 0.35, 0.12) * 0.14 * smoothstep(-0.12, 0.02, day) * (1.0 - smoothstep(0.02, 0.2, day));
      float slant = 1.0 + dot(n, ray);
      color = mix(color, vec3(0.32, 0.55, 0.95) * lit, 0.62 * pow(clamp(slant, 0.0, 1.0), 3.0));
    } else {
      vec3 low = normalize(from - b * ray);
      float above = max(0.0, (length(from - b * ray) - 1.0) * 55.0);
      alpha = exp(-2.6 * above) * 0.8 * smoothstep(-0.2, 0.25, dot(low, sun));
      color = mix(vec3(0.62, 0.80, 1.0), vec3(0.14, 0.33, 0.85), clamp(above, 0.0, 1.0));
    }
    seen = vec4(pow(color, vec3(0.4545)), alpha);
  }`;
const FRAGMENT = "varying vec4 seen; void main() { gl_FragColor = seen; }";
const AIR = 9;
const HAZE = 0.11; // cosine from the limb to where the air ends
const STARS = 1400;

/** Numbers that are the same in every page. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

function stars(): Points {
  const draw = random(7);
  const places: number[] = [];
  const shades: number[] = [];
  for (let k = 0; k < STARS; k++) {
    const z = 2 * draw() - 1;
    const angle = 2 * Math.PI * draw();
    const flat = Math.sqrt(1 - z * z);
    places.push(900 * flat * Math.cos(angle), 900 * flat * Math.sin(angle), 900 * z);
    const light = 0.16 + 0.84 * draw() ** 6;
    const warm = draw();
    shades.push(light * (0.85 + 0.15 * warm), light * 0.92, light * (1 - 0.18 * warm));
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(places, 3));
  geometry.setAttribute("color", new Float32BufferAttribute(shades, 3));
  const look = new PointsMaterial({ size: 1.6, sizeAttenuation: false, vertexColors: true, depthTest: false, depthWrite: false });
  look.onBeforeCompile = (shader) => { // as far away as can be, wherever the camera stands
    shader.vertexShader = shader.vertexShader.replace("#include <project_vertex>",
      "vec4 mvPosition = vec4(mat3(modelViewMatrix) * transformed, 1.0); gl_Position = projectionMatrix * mvPosition; gl_Position.z = 0.9999 * gl_Position.w;");
  };
  const made = new Points(geometry, look);
  made.renderOrder = -3;
  made.frustumCulled = false;
  return made;
}

function glare(): Sprite {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 128;
  const pen = canvas.getContext("2d")!;
  const light = pen.createRadialGradient(64, 64, 2, 64, 64, 64);
  light.addColorStop(0, "rgba(255,255,255,1)");
  light.addColorStop(0.13, "rgba(255,250,235,0.95)");
  light.addColorStop(0.25, "rgba(255,236,200,0.25)");
  light.addColorStop(1, "rgba(255,230,190,0)");
  pen.fillStyle = light;
  pen.fillRect(0, 0, 128, 128);
  const made = new Sprite(new SpriteMaterial({ map: new CanvasTexture(canvas), depthWrite: false, transparent: true }));
  made.renderOrder = -2;
  return made;
}

export class Sky {
  readonly root = new Group();
  private readonly stars = stars();
  private readonly sun = glare();
  private readonly earth: Mesh<BufferGeometry, ShaderMaterial> | null = null;
  private sine = 0;

  /** `toSun` is a direction in the world's axes. */
  constructor(private orbit: Orbit | null, private readonly toSun: Vector3) {
    this.root.add(this.stars, this.sun);
    if (!orbit) return;
    const uniforms = { from: { value: new Vector3() }, sun: { value: toSun }, world: { value: new Matrix3() } };
    const material = new ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, depthWrite: false, transparent: true, side: DoubleSide,
    });
    this.earth = new Mesh(new BufferGeometry(), material);
    this.earth.renderOrder = -1;
    this.earth.frustumCulled = false;
    this.root.add(this.earth);
  }

  /** The run has gone on. */
  renew(orbit: Orbit | null): void {
    this.orbit = orbit;
  }

  showEarth(on: boolean): void {
    if (this.earth) this.earth.visible = on;
  }

  /** Show it as it is at a time, in a world that is turned by `turn`, about a camera. */
  place(time: number, turn: Quaternion, camera: PerspectiveCamera): void {
    this.stars.quaternion.copy(turn);
    const far = 0.9 * camera.far;
    this.sun.position.copy(this.toSun).applyQuaternion(turn).multiplyScalar(far).add(camera.position);
    this.sun.scale.setScalar(0.16 * far);
    if (!this.orbit || !this.earth) return;
    const r = this.radiusAt(time);
    const size = Math.hypot(...r);
    const sine = Math.min(1, this.orbit.earth_radius / size);
    if (Math.abs(sine - this.sine) > 1e-4) this.build(sine);
    const down = new Vector3(...r).normalize().negate().applyQuaternion(turn);
    this.earth.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), down);
    const { uniforms } = this.earth.material;
    uniforms.from.value.set(...r).divideScalar(this.orbit.earth_radius);
    const back = turn.clone().invert().multiply(this.earth.quaternion);
    uniforms.world.value.setFromMatrix4(new Matrix4().makeRotationFromQuaternion(back));
  }

  /** Rings about +z, down to the ground and through the air above its limb. */
  private build(sine: number): void {
    const [around, inward] = [segments(144, 96), segments(34, 24)];
    this.sine = sine;
    const cosine = Math.sqrt(1 - sine * sine);
    const rings: number[] = [];
    for (let k = 0; k <= inward; k++) rings.push(1 - (1 - cosine - 1e-5) * (k / inward) ** 1.4);
    for (let k = 0; k <= AIR; k++) rings.push(cosine - 1e-5 - HAZE * (k / AIR) ** 2);
    const places: number[] = [];
    const faces: number[] = [];
    rings.forEach((c, ring) => {
      const s = Math.sqrt(Math.max(0, 1 - c * c));
      for (let k = 0; k < around; k++) {
        const angle = (2 * Math.PI * k) / around;
        places.push(s * Math.cos(angle), s * Math.sin(angle), c);
        const [a, b] = [ring * around + k, ring * around + ((k + 1) % around)];
        if (ring) faces.push(a - around, b - around, a, a, b - around, b);
      }
    });
    const { geometry } = this.earth!;
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
    geometry.setIndex(faces);
  }

  /** Direction of Earth's centre in the camera's axes (x right, y up, z out of the screen); null where there is none. */
  toward(time: number, camera: PerspectiveCamera, turn: Quaternion): Vector3 | null {
    if (!this.orbit) return null;
    const away = new Vector3(...this.radiusAt(time)).normalize().applyQuaternion(turn);
    return away.negate().applyQuaternion(camera.quaternion.clone().invert());
  }

  /** From Earth's centre to the reference point (m). */
  private radiusAt(time: number): Vec3 {
    const { times, radius } = this.orbit!;
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
