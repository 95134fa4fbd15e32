// The replay page of one run, or of two laid over each other.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import type { Push } from "./arrows";
import { type Pose, type Recording, recordings } from "./data";
import { listen } from "./live";
import { button, element } from "./dom";
import { Help, type Shortcut } from "./help";
import { Film } from "./film";
import { Inset } from "./inset";
import { events, metrics, scenario, Tabs } from "./panel";
import { Player } from "./player";
import { Plots } from "./plots";
import { Stage } from "./stage";
import { Timeline } from "./timeline";
import { type ViewName, viewsOf } from "./views";

interface Replay {
  ready: Promise<void>;
  seek(time: number): { time: number; poses: Record<string, Pose>; ghost: Record<string, Pose> };
  time(): number;
  end(): number;
  playing(): boolean;
  view(name: ViewName): void;
  /** Those that this run has. */
  views(): ViewName[];
  drawn(): number;
  /** Impulses (N s) and forces (N) that are shown as arrows, in the world's axes. */
  arrows(): Push[];
  /** How many thrusters are seen to fire, and how many joints and latches have an arrow. */
  firing(): number;
  loads(): number;
  /** Draw pictures of this size from now on: `picture` gives each as a data URL (JPEG of a quality, or PNG). */
  film(width: number, height: number): { picture(time: number, quality?: number): string; start: number; end: number };
  /** When the page had been drawn and could be used: milliseconds since it was asked for. */
  readyAt?: number;
}

declare global {
  interface Window {
    replay: Replay;
  }
}

type Toggle = "earth" | "arrows" | "loads" | "trails" | "frames" | "names" | "eye";

function themeAtStart(): boolean {
  const asked = new URLSearchParams(location.search).get("theme");
  return asked ? asked === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

export class Page {
  readonly player: Player;
  readonly stage: Stage;
  readonly plots: Plots;
  private dark = themeAtStart();
  private address = 0;
  private readonly inset: Inset | null;
  private readonly timeline: Timeline;
  private readonly events: HTMLElement;
  private readonly closing = new AbortController();
  private readonly state = element("p", { id: "stage-text", class: "state", "aria-live": "off" });

  constructor(app: HTMLElement, readonly runs: Recording[]) {
    const [run] = runs;
    const holder = element("section", { class: "stage", "aria-label": "3D scene", "aria-describedby": "stage-text" });
    const tabs = new Tabs();
    const plots = element("div", { class: "page plots" });
    const header = element("header");
    this.player = new Player(run.t[0], Math.max(...runs.map((each) => each.end)), run.t);
    app.append(header, element("main", {}, holder, tabs.root));
    this.stage = new Stage(holder, runs);
    const timeline = (this.timeline = new Timeline(run, this.player, this.stage.extras.blind()));
    app.append(timeline.root);
    tabs.add("Plots", plots);
    tabs.add("Metrics", metrics(runs));
    this.events = events(run, this.player);
    tabs.add("Events", this.events);
    tabs.add("Scenario", scenario(run));
    this.plots = new Plots(plots, runs, this.player);
    timeline.onZoom = (from, to) => this.plots.zoom(from, to);
    this.inset = run.data.orbit ? new Inset(run.data.orbit) : null;
    if (this.inset) holder.append(this.inset.root);
    holder.append(this.state);
    const help = new Help(this.shortcuts(timeline), this.closing.signal);
    app.append(help.root);
    this.fillHeader(header, help);
    this.player.onChange((time) => this.show(time));
    this.stage.onCamera(() => this.inset?.show(this.player.time, this.stage.toEarth()));
    window.addEventListener("hashchange", () => this.follow(), { signal: this.closing.signal });
    this.paint();
    this.follow();
  }

  /** The run has gone on; more is to come in about so many seconds. */
  renew(later: Recording, seconds: number): void {
    const [run] = this.runs;
    const before = run.end;
    run.renew(later);
    this.stage.renew();
    this.plots.renew();
    this.events.replaceChildren(...events(run, this.player).childNodes);
    if (run.data.orbit) this.inset?.renew(run.data.orbit);
    this.player.extend(run.end, run.t, seconds);
    this.timeline.renew(before);
  }

  /** Make room for another page. */
  close(): void {
    this.closing.abort();
    window.clearTimeout(this.address);
    this.player.pause();
    this.stage.close();
  }

  private show(time: number): void {
    this.stage.show(time);
    this.inset?.show(time, this.stage.toEarth());
    const ghost = this.runs[1] ? `Ghost: ${this.runs[1].data.run}.` : "";
    const phase = this.runs[0].data.phases.find((each) => each.start <= time && time < each.end)?.name;
    const text = [phase ? `Phase: ${phase}.` : "", this.stage.words(), ghost].filter(Boolean).join(" ");
    if (this.state.textContent !== text) this.state.textContent = text;
    if (this.player.live) return;
    window.clearTimeout(this.address); // browsers allow few changes of the address a second
    this.address = window.setTimeout(() => history.replaceState(null, "", `#t=${Number(time.toFixed(4))}`), 300);
  }

  /** To the time in the address, `#t=12.5`. */
  private follow(): void {
    const found = /[#&]t=([-+.\deE]+)/.exec(location.hash);
    this.player.seek(found ? Number(found[1]) : this.player.start);
  }

  private shortcuts(timeline: Timeline): Shortcut[] {
    const { player } = this;
    const by = (hundredths: number) => player.seek(player.time + (hundredths * (player.end - player.start)) / 100);
    const near = (direction: number) => {
      const times = this.runs[0].data.events.map((event) => event.time);
      const later = direction > 0 ? times.filter((t) => t > player.time + 1e-6) : times.filter((t) => t < player.time - 1e-6).reverse();
      if (later.length) player.seek(later[0]);
    };
    return [
      [[" ", "k"], "play or pause", () => player.toggle()],
      [["ArrowLeft", "j"], "back by a hundredth of the run", () => by(-1)],
      [["ArrowRight", "l"], "on by a hundredth of the run", () => by(1)],
      [[","], "one recorded row back", () => player.step(-1)],
      [["."], "one recorded row on", () => player.step(1)],
      [["Home"], "to the start", () => player.seek(player.start)],
      [["End"], "to the end", () => player.seek(player.end)],
      [["n"], "next event", () => near(1)],
      [["p"], "event before", () => near(-1)],
      [["["], "slower", () => timeline.faster(-1)],
      [["]"], "faster", () => timeline.faster(1)],
      ...viewsOf(this.runs[0]).map(([name, label, what], k) => [[String(k + 1)], `view: ${label.toLowerCase()} (${what})`, () => this.view(name)] as Shortcut),
      [["t"], "light or dark", () => this.swap()],
    ];
  }

  private fillHeader(header: HTMLElement, help: Help): void {
    const [run, other] = this.runs;
    const title = element("h1", { title: `${run.data.name} (${run.data.run})` }, element("bdi", {}, run.data.name || "run"));
    const named = element("span", { class: "run" }, element("bdi", {}, run.data.run));
    if (other) named.append(" beside the ghost of ", element("bdi", { class: "ghost" }, other.data.run));
    const outcome = run.data.metrics.find(([name]) => name === "outcome")?.[1] ?? run.data.status;
    const kind = { done: "good", running: "live" }[run.data.status] ?? "bad";
    const badge = element("span", { class: `badge ${kind}` }, String(outcome));
    const views = element("div", { class: "group", role: "group", "aria-label": "View" });
    viewsOf(run).forEach(([name, label, what], k) => {
      views.append(button(label, `${label}: ${what} (${k + 1})`, () => this.view(name), { "data-view": name, "aria-pressed": String(k === 0) }));
    });
    const toggles = element("div", { class: "group", role: "group", "aria-label": "Show" });
    const choices: [Toggle, string, boolean][] = [["trails", "Trails", true], ["frames", "Frames", false], ["names", "Names", false]];
    if (this.stage.arrows.any) choices.unshift(["arrows", "Forces", true]);
    if (this.stage.loads.any) choices.unshift(["loads", "Loads", false]);
    if (run.data.extras.camera) choices.unshift(["eye", "Camera", true]);
    if (run.data.orbit) choices.unshift(["earth", "Earth", true]);
    for (const [what, label, at] of choices) {
      const made = button(label, `Show or hide: ${label.toLowerCase()}`, () => {
        const on = made.getAttribute("aria-pressed") !== "true";
        made.setAttribute("aria-pressed", String(on));
        this.stage.toggle(what, on);
      }, { "aria-pressed": String(at) });
      toggles.append(made);
    }
    const ends = element("div", { class: "group" },
      button("◐", "Light or dark (t)", () => this.swap(), { "aria-label": "Light or dark", id: "theme" }),
      button("?", "Keyboard shortcuts (?)", () => help.toggle(), { "aria-label": "Keyboard shortcuts", id: "help" }));
    header.append(element("div", { class: "title" }, title, badge, named), views, toggles, ends);
  }

  view(name: ViewName): void {
    this.stage.view(name);
    for (const made of document.querySelectorAll("[data-view]")) {
      made.setAttribute("aria-pressed", String(made.getAttribute("data-view") === name));
    }
    this.inset?.show(this.player.time, this.stage.toEarth());
  }

  private swap(): void {
    this.dark = !this.dark;
    this.paint();
  }

  private paint(): void {
    document.documentElement.dataset.theme = this.dark ? "dark" : "light";
    this.plots.paint(this.dark);
  }
}

export function explain(app: HTMLElement, error: unknown): void {
  const picture = document.querySelector("noscript")?.textContent ?? "";
  const words = element("div", { class: "trouble", role: "alert" },
    element("h1", {}, "This replay cannot be shown here"),
    element("p", {}, "It needs a current browser with WebGL 2 and DecompressionStream."),
    element("pre", {}, String(error)));
  app.replaceChildren(words);
  const still = new DOMParser().parseFromString(picture, "text/html").querySelector("svg");
  if (still) words.append(still);
}

async function open(app: HTMLElement): Promise<void> {
  try {
    if (app.dataset.live) await listen(app, app.dataset.live, (runs) => shown(app, runs));
    else shown(app, await recordings());
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    window.replay.readyAt = performance.now();
  } catch (error) {
    explain(app, error);
    throw error;
  }
}

/** The page of runs, in place of what is there, and what scripts can ask of it. */
function shown(app: HTMLElement, runs: Recording[]): Page {
  const page = new Page(app, runs);
  const { player, stage } = page;
  Object.assign(window.replay, {
    seek: (time: number) => {
      player.pause();
      player.seek(time);
      return { time: player.time, poses: stage.poses(0), ghost: stage.poses(1) };
    },
    time: () => player.time,
    end: () => player.end,
    playing: () => player.playing,
    view: (name: ViewName) => page.view(name),
    views: () => viewsOf(page.runs[0]).map(([name]) => name),
    drawn: () => stage.drawn,
    arrows: () => stage.arrows.shown(),
    firing: () => stage.plumes.firing(),
    loads: () => stage.loads.shown,
    film: (width: number, height: number) => {
      const film = new Film(stage, page.runs[0], width, height);
      return { picture: (time: number, quality?: number) => film.picture(time, quality), start: player.start, end: player.end };
    },
  });
  return page;
}

window.replay = {} as Replay;
window.replay.ready = open(document.getElementById("app")!);
