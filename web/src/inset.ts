// The small picture of the orbit, with Earth to scale, and which way Earth is on the screen.
import type { Vector3 } from "three";
import type { Orbit } from "./data";
import { element, svg } from "./dom";
import { between } from "./sky";

export class Inset {
  readonly root: HTMLElement;
  private readonly dot = svg("circle", { r: 4, class: "craft" });
  private readonly arrow = svg("g", { class: "nadir" }, svg("path", { d: "M-3,-9 L0,9 L3,-9 z" }));
  private readonly words = element("span");

  constructor(private orbit: Orbit) {
    const size = 1.08 * Math.max(...orbit.path.map(([x, y]) => Math.hypot(x, y)));
    this.scale = 46 / size;
    const path = orbit.path.map(([x, y], k) => `${k ? "L" : "M"}${this.at(x, y)}`).join("");
    const picture = svg("svg", { viewBox: "-52 -52 104 104", "aria-hidden": "true" },
      svg("circle", { r: orbit.earth_radius * this.scale, class: "earth" }),
      svg("path", { d: path, class: "way" }),
      this.dot);
    const needle = svg("svg", { viewBox: "-12 -12 24 24", class: "needle", "aria-hidden": "true" }, svg("circle", { r: 11 }), this.arrow);
    const toward = element("div", { class: "toward" });
    toward.append(needle, this.words);
    this.root = element("div", { class: "inset" });
    this.root.append(picture, toward);
  }

  /** The run has gone on. */
  renew(orbit: Orbit): void {
    this.orbit = orbit;
  }

  private readonly scale: number;

  private at(x: number, y: number): string {
    return `${(x * this.scale).toFixed(2)},${(-y * this.scale).toFixed(2)}`;
  }

  show(time: number, toEarth: Vector3 | null): void {
    const [k, s] = between(this.orbit.times, time);
    const last = this.orbit.times.length - 1;
    const [x, y] = [0, 1].map((i) => (1 - s) * this.orbit.here[k][i] + s * this.orbit.here[Math.min(k + 1, last)][i]);
    this.dot.setAttribute("transform", `translate(${this.at(x, y)})`);
    if (!toEarth) return;
    const angle = (Math.atan2(-toEarth.y, toEarth.x) * 180) / Math.PI - 90;
    const flat = Math.max(0.25, Math.hypot(toEarth.x, toEarth.y));
    this.arrow.setAttribute("transform", `rotate(${angle.toFixed(1)}) scale(1,${flat.toFixed(2)})`);
    const where = Math.abs(toEarth.z) > 0.8 ? (toEarth.z > 0 ? "behind you" : "ahead") : "this way";
    const height = (Math.hypot(x, y) - this.orbit.earth_radius) / 1000;
    const words = ["Earth", ` ${where},`, ` ${height.toFixed(0)} km`]; // which way, the needle says too
    if (this.words.textContent !== words.join("")) this.words.replaceChildren(words[0], element("small", {}, words[1]), words[2]);
  }
}
