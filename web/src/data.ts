// What softdock/replay/page.py writes, and how its tracks are read (softdock/replay/tracks.py has the format).

import type { Look } from "./looks";

export type Vec3 = [number, number, number];
export type Wxyz = [number, number, number, number];

export interface Shape {
  kind: "box" | "sphere" | "capsule" | "cylinder" | "mesh" | "rod";
  look?: Look;
  color?: string;
  position?: Vec3;
  quaternion?: Wxyz;
  size?: Vec3;
  radius?: number;
  length?: number;
  to?: Vec3;
  vertices?: number;
  triangles?: number;
  /** Of a mesh: how far it goes from where it is placed (m). */
  reach?: number;
  /** Of a mesh: only sharp edges are to be seen. */
  smooth?: boolean;
}

export interface Body {
  name: string;
  parent: string;
  color: string;
  glass: boolean;
  /** Is its name always shown? */
  main?: boolean;
  /** Is the way that it goes drawn? */
  trail?: boolean;
  shapes: Shape[];
  p: number[];
  q: number[];
}

export interface Place {
  body: string;
  position: Vec3;
  quaternion: Wxyz;
}

export interface ReplayEvent {
  time: number;
  kind: string;
  label: string;
  detail: string;
  latch: string;
  point?: Vec3;
  normal?: Vec3;
  impulse?: number;
  /** Of a touch: the force when it was hardest (N), that time, and the end. */
  force?: Vec3;
  peak?: number;
  end?: number;
}

export interface Series {
  name: string;
  channel: number;
  low: number;
  scale: number;
}

export interface Plot {
  title: string;
  unit: string;
  log: boolean;
  t: number;
  series: Series[];
}

export interface PoseTrack {
  t: number;
  position: number[];
  quaternion: number[];
}

/** Compliant contacts: lines of each frame that has some, and the largest force (N). */
export interface ContactTrack {
  names: string[];
  t: number;
  starts: number;
  contact: number;
  point: number[];
  force: number[];
  most: number;
}

/** Nozzles, where they blow in their body's axes, and when each was open. */
export interface Thrusters {
  nozzles: { name: string; body: string; position: Vec3; along: Vec3; half_angle: number; thrust: number }[];
  t: number;
  end: number;
  which: number;
}

/** Forces (N) in joints and latches, in the axes of a place on a body. */
export interface Loads {
  t: number;
  most: number;
  places: (Place & { name: string; force: number[] })[];
}

export interface Orbit {
  period: number;
  times: number[];
  radius: Vec3[];
  path: [number, number][];
  here: [number, number][];
  normal: Vec3;
  earth_radius: number;
}

export interface RunData {
  format: number;
  name: string;
  run: string;
  status: string;
  t: number;
  bodies: Body[];
  frames: (Place & { name: string })[];
  latches: { name: string; kind: string; a: Place; b: Place }[];
  engaged: string[];
  orbit: Orbit | null;
  events: ReplayEvent[];
  phases: { name: string; start: number; end: number }[];
  plots: Plot[];
  contacts: ContactTrack | null;
  thrusters: Thrusters | null;
  loads: Loads | null;
  extras: {
    camera?: PoseTrack & { fov: [number, number]; range: number; occluded?: number };
    estimate?: PoseTrack & { body: string; sigma_x?: number; sigma_y?: number; sigma_z?: number };
    scan?: { t: number; starts: number; points: number[] };
  };
  views: { chaser: string; target: string; port: string };
  /** Direction of the Sun in the world's axes; without one, from behind the viewer. */
  sun?: Vec3 | null;
  /** On the ground: no sky. */
  lab?: boolean;
  /** Name, value as text (a line for each entry of a list), meaning. */
  metrics: [string, string, string][];
  scenario: string;
  channels: [number, number][];
}

/** A pose shown: position (m) and quaternion w x y z. */
export interface Pose {
  position: Vec3;
  quaternion: Wxyz;
}

/** A run with its numbers decoded. */
export class Recording {
  t: Float64Array;

  constructor(public data: RunData, public channels: Float64Array[]) {
    this.t = channels[data.t];
  }

  /** Become a later state of the same run: with more rows, of the same bodies. */
  renew(later: Recording): void {
    const { bodies } = this.data; // others hold on to them
    bodies.forEach((body, k) => Object.assign(body, { p: later.data.bodies[k].p, q: later.data.bodies[k].q }));
    [this.data, this.channels, this.t] = [{ ...later.data, bodies }, later.channels, later.t];
  }

  get end(): number {
    return this.t[this.t.length - 1];
  }

  values(series: Series): (number | null)[] {
    return Array.from(this.channels[series.channel], (code) => (code < 0 ? null : series.low + code * series.scale));
  }

  pose(body: Body, time: number): Pose {
    return interpolated(this.t, this.channels, body.p, body.q, time);
  }

  track(track: PoseTrack, time: number): Pose {
    return interpolated(this.channels[track.t], this.channels, track.position, track.quaternion, time);
  }
}

/** Index of the last entry of `t` that is not later than `time` (0 if there is none). */
export function rowAt(t: Float64Array, time: number): number {
  let low = 0;
  let high = t.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (t[middle] <= time + 1e-9) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Straight between positions; between neighbouring quaternions, straight and normalised. */
function interpolated(t: Float64Array, channels: Float64Array[], p: number[], q: number[], time: number): Pose {
  const row = rowAt(t, time);
  const next = Math.min(row + 1, t.length - 1);
  const span = t[next] - t[row];
  const s = span > 0 ? Math.min(1, Math.max(0, (time - t[row]) / span)) : 0;
  const mix = (channel: number) => (1 - s) * channels[channel][row] + s * channels[channel][next];
  const quaternion = q.map(mix) as Wxyz;
  const norm = Math.hypot(...quaternion) || 1;
  return { position: p.map(mix) as Vec3, quaternion: quaternion.map((x) => x / norm) as Wxyz };
}

async function inflated(text: string): Promise<Uint8Array> {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function unpacked(bytes: Uint8Array, head: [number, number][]): Float64Array[] {
  let at = 0;
  return head.map(([step, count]) => {
    const values = new Float64Array(count);
    let sum = 0;
    for (let k = 0; k < count; k++) {
      let code = 0;
      let weight = 1;
      let byte = bytes[at++];
      while (byte & 128) {
        code += (byte & 127) * weight;
        weight *= 128;
        byte = bytes[at++];
      }
      code += byte * weight;
      sum += code % 2 ? -(code + 1) / 2 : code / 2;
      values[k] = sum * step;
    }
    return values;
  });
}

/** The runs in the page. */
export async function recordings(): Promise<Recording[]> {
  const heads = [...document.querySelectorAll<HTMLScriptElement>("script.run")];
  const tracks = [...document.querySelectorAll<HTMLScriptElement>("script.tracks")];
  return Promise.all(
    heads.map((head, k) => {
      const text = tracks[k].textContent ?? "";
      tracks[k].remove();
      return decoded(head.textContent ?? "", text);
    }),
  );
}

/** A run from its data (JSON) and tracks (base64). */
export async function decoded(data: string, tracks: string): Promise<Recording> {
  const read = JSON.parse(data) as RunData;
  return new Recording(read, unpacked(await inflated(tracks), read.channels));
}
