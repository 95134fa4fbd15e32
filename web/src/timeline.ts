// Play, step, speed, and a bar with phases, occlusions, events and a time axis; the wheel zooms into it.
import type { Recording } from "./data";
import { button, element } from "./dom";
import type { Player } from "./player";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10];
const CLOSE = 12; // pixels between two marks, below which they stand one above the other
const LANES = 3; // what finds no room in them is counted on the mark in the last
const LEGIBLE = 26; // pixels of a phase, below which its name would be a letter or two

function hits(mark: HTMLElement): boolean {
  return mark.classList.contains("impact") || mark.classList.contains("contact");
}

export class Timeline {
  readonly root: HTMLElement;
  readonly speed: HTMLSelectElement;
  /** Is told of the stretch (s) that is shown from now on. */
  onZoom?: (from: number, to: number) => void;
  private from: number;
  private to: number;
  private readonly bar: HTMLElement;
  private readonly axis = element("div", { class: "axis", "aria-hidden": "true" });
  private readonly slider: HTMLInputElement;
  private readonly head = element("div", { class: "playhead" });
  private placed: [HTMLElement, number, number][] = []; // element, start, end
  private events: [HTMLButtonElement, number][] = [];
  private readonly whole = button("⤢", "The whole run again", () => this.zoom(this.player.start, this.player.end), { class: "whole", hidden: "" });

  constructor(private readonly run: Recording, private readonly player: Player, private readonly blind: [number, number][]) {
    [this.from, this.to] = [player.start, player.end];
    const play = button("▶", "Play or pause (space)", () => player.toggle(), { class: "play", id: "play" });
    const back = button("«", "To the start (Home)", () => player.seek(player.start), { "aria-label": "To the start" });
    const before = button("‹", "One row back (,)", () => player.step(-1), { "aria-label": "One row back" });
    const after = button("›", "One row on (.)", () => player.step(1), { "aria-label": "One row on" });
    this.speed = element("select", { title: "Speed ([ and ])", "aria-label": "Speed", id: "speed" });
    for (const speed of SPEEDS) this.speed.append(element("option", { value: String(speed) }, `${speed}×`));
    this.speed.value = String(player.speed);
    this.speed.addEventListener("change", () => (player.speed = Number(this.speed.value)));
    this.slider = element("input", { type: "range", id: "scrub", step: "any", "aria-label": "Time" });
    this.slider.addEventListener("input", () => player.seek(Number(this.slider.value)));
    const readout = element("output", { id: "time", "aria-live": "off" });
    this.bar = element("div", { class: "bar", title: "" });
    this.fill();
    this.bar.addEventListener("wheel", (turn) => this.wheel(turn), { passive: false });
    this.root = element("footer", { class: "timeline" },
      element("div", { class: "buttons" }, play, back, before, after, this.speed, readout), this.bar);
    new ResizeObserver(() => this.place()).observe(this.bar);
    player.onChange((time) => {
      const digits = player.end - player.start < 1 ? 4 : 2;
      if (time < this.from || time > this.to) this.zoom(...this.about(time));
      this.slider.value = String(time);
      this.slider.setAttribute("aria-valuetext", `${time.toFixed(digits)} seconds`);
      this.head.style.left = this.percent(time);
      readout.textContent = `${time.toFixed(digits)} / ${player.end.toFixed(digits)} s`;
      const label = player.playing ? "Pause" : "Play";
      if (play.getAttribute("aria-label") !== label) {
        play.setAttribute("aria-label", label);
        play.textContent = player.playing ? "❚❚" : "▶";
      }
    });
    this.place();
  }

  private fill(): void {
    [this.placed, this.events] = [[], []];
    this.bar.replaceChildren(...this.phases(), ...this.occlusions(this.blind), this.slider, this.head, ...this.marks(), this.axis, this.whole);
  }

  /** The run has gone on; `before` is where it ended. */
  renew(before: number): void {
    this.fill();
    if (this.to >= before) this.zoom(this.from, this.player.end);
    else this.place();
  }

  /** The next speed, or the one before. */
  faster(by: number): void {
    const at = SPEEDS.indexOf(this.player.speed) + by;
    this.player.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at))];
    this.speed.value = String(this.player.speed);
  }

  /** The stretch that is shown, moved so that a time is in it. */
  private about(time: number): [number, number] {
    const span = this.to - this.from;
    const from = Math.min(Math.max(this.player.start, time - span / 2), this.player.end - span);
    return [from, from + span];
  }

  /** A sixth of the stretch about a time, so that marks which stand together part. */
  private closer(time: number): void {
    const half = Math.max((this.to - this.from) / 12, (this.player.end - this.player.start) / 1000);
    this.zoom(Math.max(this.player.start, time - half), Math.min(this.player.end, time + half));
  }

  private wheel(turn: WheelEvent): void {
    turn.preventDefault();
    const { left, width } = this.bar.getBoundingClientRect();
    const at = this.from + ((turn.clientX - left) / Math.max(width, 1)) * (this.to - this.from);
    const by = Math.exp(turn.deltaY * 0.0022);
    const least = (this.player.end - this.player.start) / 500;
    const from = Math.max(this.player.start, at - (at - this.from) * by);
    const to = Math.min(this.player.end, at + (this.to - at) * by);
    if (to - from >= least) this.zoom(from, to);
  }

  private zoom(from: number, to: number): void {
    [this.from, this.to] = [from, to];
    this.place();
    this.onZoom?.(from, to);
  }

  private percent(time: number): string {
    return `${((100 * (time - this.from)) / Math.max(this.to - this.from, 1e-12)).toFixed(3)}%`;
  }

  /** Everything where it is in the stretch that is shown. */
  private place(): void {
    const { start, end } = this.player;
    const span = Math.max(this.to - this.from, 1e-12);
    this.whole.hidden = this.from <= start && this.to >= end;
    this.slider.min = String(this.from);
    this.slider.max = String(this.to);
    this.slider.value = String(this.player.time);
    this.head.style.left = this.percent(this.player.time);
    const width = this.bar.clientWidth || 600;
    for (const [made, from, to] of this.placed) {
      const [a, b] = [Math.max(from, this.from), Math.min(to, this.to)];
      made.hidden = b < a;
      made.style.left = this.percent(a);
      made.style.width = `${((100 * (b - a)) / span).toFixed(3)}%`;
      made.classList.toggle("slim", ((b - a) / span) * width < LEGIBLE);
    }
    this.placeMarks(width, span);
    this.ticks(width, span);
  }

  /** Marks that would hide each other stand in lanes; those for which there is no lane are counted and named by the last. */
  private placeMarks(width: number, span: number): void {
    const lanes: { x: number; mark: HTMLButtonElement }[] = [];
    let plume = -Infinity;
    for (const [mark, time] of this.events) {
      mark.hidden = time < this.from || time > this.to;
      if (mark.hidden) continue;
      const x = ((time - this.from) / span) * width;
      if (mark.classList.contains("plume")) { // there are many: a row of its own, as ticks
        mark.style.left = this.percent(time);
        if (x - plume < 2) mark.hidden = true;
        else plume = x;
        continue;
      }
      mark.textContent = "";
      mark.title = mark.getAttribute("aria-label")!;
      mark.style.left = this.percent(time);
      let lane = lanes.findIndex((last) => x - last.x >= CLOSE);
      if (lane < 0) lane = lanes.length;
      if (lane >= LANES) {
        const top = lanes[LANES - 1];
        const [stays, goes] = hits(mark) && !hits(top.mark) ? [mark, top.mark] : [top.mark, mark]; // an impact stays in sight
        stays.textContent = String(Number(top.mark.textContent || 1) + 1);
        stays.title = `${top.mark.title}\n${mark.title}`;
        stays.style.setProperty("--lane", String(LANES - 1));
        top.mark = stays;
        goes.textContent = "";
        goes.hidden = true;
        continue;
      }
      lanes[lane] = { x, mark };
      mark.style.setProperty("--lane", String(lane));
    }
    for (const [mark] of this.events) mark.classList.toggle("many", mark.textContent !== "");
  }

  private ticks(width: number, span: number): void {
    const rough = (span * 70) / width;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((k) => k * power).find((x) => x >= rough)!;
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const made: HTMLElement[] = [];
    for (let k = Math.ceil(this.from / step - 1e-9); k * step <= this.to + 1e-9 * span; k++) {
      const tick = element("span", {}, `${(k * step).toFixed(digits)}${made.length ? "" : " s"}`);
      tick.style.left = this.percent(k * step);
      made.push(tick);
    }
    this.axis.replaceChildren(...made);
  }

  private stretch(kind: string, from: number, to: number, name: string): HTMLElement {
    const made = element("div", { class: kind, title: `${name}: ${from.toFixed(2)} to ${to.toFixed(2)} s` }, name);
    this.placed.push([made, from, to]);
    return made;
  }

  private phases(): HTMLElement[] {
    return this.run.data.phases.map((phase, k) => {
      const made = this.stretch(`phase phase${k % 4}`, phase.start, phase.end, phase.name);
      made.dir = "auto";
      return made;
    });
  }

  private occlusions(blind: [number, number][]): HTMLElement[] {
    return blind.map(([from, to]) => this.stretch("blind", from, to, "occluded"));
  }

  private marks(): HTMLElement[] {
    return this.run.data.events.flatMap((event, k) => {
      if (event.kind === "phase") return []; // its stretch shows it
      const what = `${event.time.toFixed(3)} s, ${event.label}${event.detail ? ` (${event.detail})` : ""}`;
      const go = () => {
        this.player.seek(event.time);
        if (mark.classList.contains("many")) this.closer(event.time);
      };
      const mark = button("", what, go, {
        class: `mark ${["impact", "contact", "plume"].includes(event.kind) ? event.kind : ""}`, "aria-label": what, "data-event": String(k),
      });
      this.events.push([mark, event.time]);
      return mark;
    });
  }
}
