// Play, step, speed, and a bar with phases, occlusions and events.
import type { Recording } from "./data";
import { button, element } from "./dom";
import type { Player } from "./player";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10];

export class Timeline {
  readonly root: HTMLElement;
  readonly speed: HTMLSelectElement;

  constructor(private readonly run: Recording, private readonly player: Player, blind: [number, number][]) {
    const play = button("▶", "Play or pause (space)", () => player.toggle(), { class: "play", id: "play" });
    const back = button("«", "To the start (Home)", () => player.seek(player.start), { "aria-label": "To the start" });
    const before = button("‹", "One row back (,)", () => player.step(-1), { "aria-label": "One row back" });
    const after = button("›", "One row on (.)", () => player.step(1), { "aria-label": "One row on" });
    this.speed = element("select", { title: "Speed ([ and ])", "aria-label": "Speed", id: "speed" });
    for (const speed of SPEEDS) this.speed.append(element("option", { value: String(speed) }, `${speed}×`));
    this.speed.value = String(player.speed);
    this.speed.addEventListener("change", () => (player.speed = Number(this.speed.value)));
    const slider = element("input", {
      type: "range", id: "scrub", min: String(player.start), max: String(player.end), step: "any", "aria-label": "Time",
    });
    slider.addEventListener("input", () => player.seek(Number(slider.value)));
    const readout = element("output", { id: "time", "aria-live": "off" });
    const head = element("div", { class: "playhead" });
    const bar = element("div", { class: "bar" }, ...this.phases(), ...this.occlusions(blind), slider, head, ...this.marks());
    this.root = element("footer", { class: "timeline" },
      element("div", { class: "buttons" }, play, back, before, after, this.speed, readout), bar);
    const digits = player.end - player.start < 1 ? 4 : 2;
    player.onChange((time) => {
      slider.value = String(time);
      slider.setAttribute("aria-valuetext", `${time.toFixed(digits)} seconds`);
      head.style.left = this.percent(time);
      readout.textContent = `${time.toFixed(digits)} / ${player.end.toFixed(digits)} s`;
      const label = player.playing ? "Pause" : "Play";
      if (play.getAttribute("aria-label") !== label) {
        play.setAttribute("aria-label", label);
        play.textContent = player.playing ? "❚❚" : "▶";
      }
    });
  }

  /** The next speed, or the one before. */
  faster(by: number): void {
    const at = SPEEDS.indexOf(this.player.speed) + by;
    this.player.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at))];
    this.speed.value = String(this.player.speed);
  }

  private percent(time: number): string {
    const { start, end } = this.player;
    return `${((100 * (time - start)) / Math.max(end - start, 1e-12)).toFixed(3)}%`;
  }

  private stretch(kind: string, from: number, to: number, name: string): HTMLElement {
    const made = element("div", { class: kind, title: `${name}: ${from.toFixed(2)} to ${to.toFixed(2)} s` }, name);
    const { start, end } = this.player;
    made.style.left = this.percent(from);
    made.style.width = `${((100 * (to - from)) / Math.max(end - start, 1e-12)).toFixed(3)}%`;
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
    return this.run.data.events.map((event, k) => {
      const what = `${event.time.toFixed(3)} s, ${event.label}${event.detail ? ` (${event.detail})` : ""}`;
      const mark = button("", what, () => this.player.seek(event.time), {
        class: `mark ${event.kind === "impact" || event.kind === "contact" ? event.kind : ""}`, "aria-label": what, "data-event": String(k),
      });
      mark.style.left = this.percent(event.time);
      return mark;
    });
  }
}
