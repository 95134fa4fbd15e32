// Plots in step with the timeline: a line at the time shown, a click goes there.
import uPlot from "uplot";
import { type Plot, type Recording, rowAt } from "./data";
import { button, element, number } from "./dom";
import type { Player } from "./player";

const COLORS = {
  light: ["#0072b2", "#d55e00", "#009e73", "#b3589a", "#b07a00", "#2f8fc4", "#7a5195", "#4d4d4d"],
  dark: ["#58b0e8", "#ff9248", "#37c997", "#e79bcb", "#f0bb43", "#8fd0f5", "#b892d6", "#b8c0cc"],
};
const HEIGHT = 128;

interface Shown {
  plot: uPlot;
  head: HTMLElement;
  values: HTMLElement[];
  t: Float64Array;
  series: (number | null)[][];
  log: boolean;
  frame: HTMLElement;
  /** What is smaller than this is written as zero: a millionth of the plot. */
  fine: number;
}

/** Which series a bound belongs to: "± x" to "error.x"; any other to itself. */
function of(plot: Plot, k: number): number {
  const { name } = plot.series[k];
  const owner = name.startsWith("± ") ? plot.series.findIndex((entry) => entry.name === `error.${name.slice(2)}`) : k;
  return owner < 0 ? 7 : owner;
}

/** The range of y: all of it; of errors with bounds, without large ones at the start that would flatten the rest. */
function within(plot: Plot, series: (number | null)[][], low: number, high: number): [number, number] {
  if (low === high) return [low - 1, high + 1];
  const room = 0.06 * (high - low);
  if (!plot.series.some((entry) => entry.name.startsWith("± "))) return [low - room, high + room];
  const most = Math.max(Math.abs(low), Math.abs(high));
  const later = 1.06 * largest(series.map((values) => values.slice(values.length >> 2)));
  return later > 0 && most > 2 * later ? [-later, later] : [-1.06 * most, 1.06 * most];
}

function largest(series: (number | null)[][]): number {
  return series.flat().reduce<number>((most, x) => Math.max(most, Math.abs(x ?? 0)), 0);
}

/** A size that nine in ten of the values do not exceed. */
function usual(series: (number | null)[][]): number {
  const sizes = Float64Array.from(series.flat().filter((x) => x !== null), Math.abs).sort();
  return sizes.length ? sizes[Math.floor(0.9 * (sizes.length - 1))] : 0;
}

export class Plots {
  private shown: Shown[] = [];
  private width = 0;
  private dark = false;
  private span: [number, number];
  private readonly off = new Set<string>(); // series that are switched off, by plot and name
  private late = 0; // the timer after which values are written again
  private readonly seen = new Set<Element>(); // what is in sight: the rest is not kept up to date
  private readonly sight: IntersectionObserver;

  constructor(private readonly holder: HTMLElement, private readonly runs: Recording[], private readonly player: Player) {
    this.span = [player.start, player.end];
    new ResizeObserver(() => this.fit()).observe(holder);
    this.sight = new IntersectionObserver((changes) => {
      for (const { target, isIntersecting } of changes) {
        if (isIntersecting) this.seen.add(target);
        else this.seen.delete(target);
      }
      this.show(player.time);
    }, { root: holder });
    player.onChange((time) => this.show(time));
  }

  paint(dark: boolean): void {
    this.dark = dark;
    this.width = 0;
    this.fit();
  }

  /** The run has gone on. */
  renew(): void {
    const { scrollTop } = this.holder;
    this.width = 0;
    this.fit();
    this.holder.scrollTop = scrollTop;
  }

  private fit(): void {
    const width = this.holder.clientWidth;
    if (!width || Math.abs(width - this.width) < 2) return;
    this.width = width;
    for (const { plot } of this.shown) plot.destroy();
    this.sight.disconnect();
    this.seen.clear();
    this.holder.replaceChildren();
    this.shown = this.runs[0].data.plots.filter((plot) => plot.series.length).map((plot) => this.draw(plot));
  }

  private draw(plot: Plot): Shown {
    const colors = COLORS[this.dark ? "dark" : "light"];
    const other = this.runs[1]?.data.plots.find((entry) => entry.title === plot.title);
    const [run] = this.runs;
    const t = run.channels[plot.t];
    const series = plot.series.map((entry) => run.values(entry));
    const data: (number | null)[][] = [Array.from(t), ...series];
    const lines: uPlot.Series[] = [{}];
    const color = (k: number) => colors[of(plot, k) % 8];
    plot.series.forEach((entry, k) => {
      const band = entry.name.startsWith("± ");
      const line = { label: entry.name, stroke: color(k), width: band ? 1 : 1.5, dash: band ? [2, 3] : undefined, points: { show: false } };
      lines.push(line);
      if (band) {
        lines.push({ ...line });
        data.push([]);
      }
    });
    if (plot.series.some((entry) => entry.name.startsWith("± "))) this.mirror(plot, data, series, Array.from(t));
    if (other) this.beside(plot, other, data, lines, colors);
    const grid = { stroke: this.dark ? "#26303e" : "#dde3ea", width: 1 };
    const axis = { stroke: this.dark ? "#a9b4c2" : "#48525f", grid, ticks: grid, font: "11px system-ui, sans-serif" };
    const legend = element("div", { class: "legend" });
    const values = plot.series.map((entry, k) => {
      const chip = element("i");
      chip.style.background = color(k);
      if (entry.name.startsWith("± ")) chip.style.opacity = "0.5";
      const value = element("b");
      const key = `${plot.title} ${entry.name}`;
      const chosen = button("", `${entry.name}: show or hide`, () => {
        if (!this.off.delete(key)) this.off.add(key);
        this.hide(made, entry.name, chosen, this.off.has(key));
      }, { "aria-pressed": String(!this.off.has(key)) });
      chosen.append(chip, element("bdi", {}, entry.name), value);
      legend.append(chosen);
      return value;
    });
    const frame = element("figure", { class: "plot", role: "group", "aria-label": `Plot: ${plot.title} (${plot.unit})` },
      element("figcaption", {}, `${plot.title} (${plot.unit})`));
    this.holder.append(frame);
    this.sight.observe(frame);
    const made = new uPlot(
      {
        width: Math.floor(frame.getBoundingClientRect().width), // of its place: the holder's has its padding
        height: HEIGHT,
        legend: { show: false },
        padding: [8, 10, 0, 0],
        pxAlign: false,
        cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
        scales: { x: { time: false, range: () => this.span }, y: { range: (_, low, high) => within(plot, series, low, high) } },
        axes: [{ ...axis, size: 26, values: (_, ticks) => ticks.map((tick, k) => `${number(tick)}${k ? "" : " s"}`) },
          { ...axis, size: 56, space: 22, values: (_, ticks) => ticks.map((tick) => (plot.log ? `1e${number(tick)}` : number(tick))) }],
        series: lines,
      },
      data as uPlot.AlignedData,
      frame,
    );
    const head = element("div", { class: "here" });
    made.over.append(head);
    made.over.addEventListener("click", (event) => {
      const left = event.clientX - made.over.getBoundingClientRect().left;
      this.player.seek(made.posToVal(left, "x"));
    });
    frame.append(legend);
    plot.series.forEach((entry, k) => {
      if (this.off.has(`${plot.title} ${entry.name}`)) this.hide(made, entry.name, legend.children[k], true);
    });
    const fine = 1e-6 * usual(series);
    return { plot: made, head, values, t, series, log: plot.log, frame, fine };
  }

  /** Show a stretch of time (s). */
  zoom(from: number, to: number): void {
    this.span = [from, to];
    for (const { plot } of this.shown) plot.setScale("x", { min: from, max: to });
    this.show(this.player.time);
  }

  private hide(made: uPlot, name: string, chosen: Element, hidden: boolean): void {
    made.series.forEach((line, k) => {
      if (k && line.label === name) made.setSeries(k, { show: !hidden });
    });
    chosen.setAttribute("aria-pressed", String(!hidden));
  }

  /** A bound is drawn on both sides of zero. */
  private mirror(plot: Plot, data: (number | null)[][], series: (number | null)[][], t: number[]): void {
    data.length = 0;
    data.push(t);
    plot.series.forEach((entry, k) => {
      data.push(series[k]);
      if (entry.name.startsWith("± ")) data.push(series[k].map((x) => (x === null ? null : -x)));
    });
  }

  /** The other run's series, dashed; its times are interleaved. */
  private beside(plot: Plot, other: Plot, data: (number | null)[][], lines: uPlot.Series[], colors: string[]): void {
    const run = this.runs[1];
    const joined = uPlot.join([
      data as uPlot.AlignedData,
      [Array.from(run.channels[other.t]), ...other.series.map((entry) => run.values(entry))] as uPlot.AlignedData,
    ]);
    for (const line of lines.slice(1)) line.spanGaps = true;
    other.series.forEach((entry) => {
      const k = plot.series.findIndex((same) => same.name === entry.name);
      lines.push({ label: entry.name, stroke: colors[(k < 0 ? 7 : k) % 8], width: 1.2, dash: [5, 4], spanGaps: true, points: { show: false } });
    });
    data.length = 0;
    data.push(...(joined as (number | null)[][]));
  }

  private show(time: number): void {
    for (const { plot, head, frame } of this.shown) {
      if (this.seen.has(frame)) head.style.transform = `translateX(${plot.valToPos(time, "x").toFixed(1)}px)`;
    }
    if (this.late) return; // nobody reads numbers that change sixty times a second, and laying them out takes time
    this.tell();
    this.late = window.setTimeout(() => {
      this.late = 0;
      this.tell();
    }, 100);
  }

  /** Write the values at the time shown. */
  private tell(): void {
    const { time } = this.player;
    for (const { values, t, series, log, frame, fine } of this.shown) {
      if (!this.seen.has(frame)) continue;
      const row = rowAt(t, time);
      values.forEach((value, k) => {
        const x = series[k][row];
        const text = x === null ? "–" : number(log ? Number((10 ** x).toPrecision(3)) : Math.abs(x) < fine ? 0 : Number(x.toPrecision(4)));
        if (value.textContent !== text) value.textContent = text;
      });
    }
  }
}
