// Tables beside the scene: metrics, events, the resolved scenario.
import type { Recording } from "./data";
import { button, element } from "./dom";
import type { Player } from "./player";

const LONG = 300; // letters of a line, from which on a value is folded

export class Tabs {
  readonly root = element("aside", { class: "panel" });
  private readonly bar = element("div", { class: "tabs", role: "tablist" });
  private readonly pages = new Map<string, [HTMLButtonElement, HTMLElement]>();

  constructor() {
    this.root.append(this.bar);
  }

  add(name: string, page: HTMLElement): void {
    const id = `tab-${name.toLowerCase()}`;
    const tab = button(name, `Show ${name.toLowerCase()}`, () => this.open(name), { role: "tab", "aria-controls": id });
    page.id = id;
    page.setAttribute("role", "tabpanel");
    page.tabIndex = 0;
    this.pages.set(name, [tab, page]);
    this.bar.append(tab);
    this.root.append(page);
    this.open([...this.pages.keys()][0]);
  }

  open(name: string): void {
    for (const [key, [tab, page]] of this.pages) {
      page.hidden = key !== name;
      tab.setAttribute("aria-selected", String(key === name));
    }
  }
}

/** A value; of one that would fill the page, its beginning, and the rest when it is asked for. */
function folded(text: string): string | HTMLElement {
  if (text.split("\n").every((line) => line.length <= LONG)) return text;
  const cut = text.lastIndexOf(", ", LONG / 3);
  const begun = text.slice(0, cut > 0 ? cut : LONG / 3);
  return element("details", {}, element("summary", {}, `${begun} …`), text);
}

export function metrics(runs: Recording[]): HTMLElement {
  const table = element("table", {}, element("caption", {}, runs.length > 1 ? "Metrics of both runs" : "Metrics"));
  const head = element("tr", {}, element("th", { scope: "col" }, "metric"));
  for (const run of runs) head.append(element("th", { scope: "col" }, runs.length > 1 ? run.data.run : "value"));
  table.append(element("thead", {}, head));
  const names = [...new Set(runs.flatMap((run) => run.data.metrics.map(([name]) => name)))];
  const body = element("tbody");
  for (const name of names) {
    const meaning = runs.map((run) => run.data.metrics.find(([other]) => other === name)?.[2]).find(Boolean) ?? "";
    const told = meaning ? [element("small", {}, meaning)] : [];
    const row = element("tr", {}, element("th", { scope: "row" }, name.replaceAll("_", " "), ...told));
    for (const run of runs) {
      const found = run.data.metrics.find(([other]) => other === name);
      row.append(element("td", { dir: "auto" }, found ? folded(found[1]) : "–"));
    }
    body.append(row);
  }
  table.append(body);
  return element("div", { class: "page" }, table);
}

export function events(run: Recording, player: Player): HTMLElement {
  const list = element("ol", { class: "events" });
  for (const event of run.data.events) {
    const go = button("", `Go to ${event.time.toFixed(3)} s`, () => player.seek(event.time));
    go.append(element("b", {}, `${event.time.toFixed(3)} s`), element("bdi", {}, event.label), element("small", {}, event.detail));
    list.append(element("li", {}, go));
  }
  const nothing = element("p", { class: "quiet" }, "No latch, impact or limit during this run.");
  return element("div", { class: "page" }, run.data.events.length ? list : nothing);
}

export function scenario(run: Recording): HTMLElement {
  const note = element("p", { class: "quiet" }, "Every default written out. Saved as a file, softdock run repeats this run.");
  return element("div", { class: "page" }, note, element("pre", { dir: "auto" }, run.data.scenario));
}
