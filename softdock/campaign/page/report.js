"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const app = document.getElementById("app");
const C = data.columns, count = C.index.length;
C.success = C.success.map(Number);
const PALETTE = ["#b2182b", "#ef8a62", "#8073ac", "#8c510a", "#c51b7d", "#7f7f7f"];
const outcomes = [...new Set(C.outcome)].sort();
const bad = outcomes.filter((o) => o !== data.goal);
const colour = Object.fromEntries(outcomes.map((o) => [o, o === data.goal ? "#2166ac" : PALETTE[bad.indexOf(o) % PALETTE.length]]));
const numeric = [...data.drawn, ...data.metrics];

function make(tag, attributes = {}, ...children) {
  const svg = ["svg", "g", "rect", "circle", "line", "path", "text", "title"].includes(tag);
  const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}
function section(title, wide = false) {
  const node = make("section", wide ? { class: "wide" } : {}, make("h2", {}, title));
  app.append(node);
  return node;
}
function chooser(label, names, chosen, change) {
  const select = make("select", { "aria-label": label });
  for (const name of names) select.append(make("option", name === chosen ? { selected: "" } : {}, name));
  select.addEventListener("change", () => change());
  return [make("label", {}, `${label} `, select), select];
}
const short = (x) => (x === null || x === undefined ? "–" : typeof x !== "number" ? String(x) : Number.isInteger(x) ? String(x) : Number(x.toPrecision(4)).toString());
const percent = (x) => `${(100 * x).toFixed(1)} %`;
const isNumber = (x) => typeof x === "number" && Number.isFinite(x);
function range(values) {
  let low = Infinity, high = -Infinity;
  for (const x of values) if (isNumber(x)) { low = Math.min(low, x); high = Math.max(high, x); }
  return low > high ? [0, 1] : low === high ? [low - 0.5, high + 0.5] : [low, high];
}
function ticks(low, high, most) {
  const rough = (high - low) / most, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough);
  const found = [];
  for (let k = Math.ceil(low / step); k * step <= high * (1 + 1e-12) + 1e-300; k++) found.push(Number((k * step).toPrecision(12)));
  return found;
}
function frame(W, H, [x0, x1], [y0, y1], nameX, nameY, [nx, ny] = [6, 6]) {
  const left = 58, bottom = 40, top = 8, right = 12;
  const sx = (x) => left + ((x - x0) / (x1 - x0)) * (W - left - right);
  const sy = (y) => H - bottom - ((y - y0) / (y1 - y0)) * (H - top - bottom);
  const svg = make("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": `${nameY} over ${nameX}` });
  svg.append(make("path", { class: "axis", d: `M${left},${top}V${H - bottom}H${W - right}` }));
  for (const t of ticks(x0, x1, nx)) svg.append(make("line", { class: "axis", x1: sx(t), x2: sx(t), y1: H - bottom, y2: H - bottom + 4 }), make("text", { x: sx(t), y: H - bottom + 16, "text-anchor": "middle" }, short(t)));
  for (const t of ticks(y0, y1, ny)) svg.append(make("line", { class: "axis", x1: left - 4, x2: left, y1: sy(t), y2: sy(t) }), make("text", { x: left - 7, y: sy(t) + 4, "text-anchor": "end" }, short(t)));
  svg.append(make("text", { x: (left + W - right) / 2, y: H - 6, "text-anchor": "middle" }, nameX));
  svg.append(make("text", { x: 12, y: H / 2, "text-anchor": "middle", transform: `rotate(-90 12 ${H / 2})` }, nameY));
  return { svg, sx, sy };
}

const weight = (d) => Math.abs((data.correlations.success || {})[d] || 0);
const telling = [...data.drawn].sort((a, b) => weight(b) - weight(a));

function head() {
  const node = make("section", { class: "wide" }, make("h1", {}, `${data.name}: ${data.scenario}`));
  const r = data.rate, unfinished = r.runs < data.planned ? ` of ${data.planned} planned` : "";
  node.append(make("p", {}, `${r.runs} runs${unfinished}, ${data.design}, seed ${data.seed}. Varied: ${Object.entries(data.vary).map(([k, v]) => `${k} = ${v}`).join("; ")}`));
  node.append(make("div", { class: "rate", id: "rate" }, `${percent(r.successes / r.runs)} `, make("small", {}, `${data.goal} (${r.successes} of ${r.runs}); ${r.low === null ? `no interval: ${r.no_interval}` : `${percent(r.low)} to ${percent(r.high)} with ${100 * data.confidence} % confidence`}`)));
  const bar = make("div", { class: "bar" }), legend = make("div", { class: "legend" });
  for (const o of outcomes) {
    const n = C.outcome.filter((x) => x === o).length;
    bar.append(make("span", { style: `width:${(100 * n) / count}%;background:${colour[o]}`, title: `${o}: ${n}` }));
    legend.append(make("span", {}, make("i", { style: `background:${colour[o]}` }), `${o} ${n}`));
  }
  node.append(bar, legend);
  app.append(node);
}

let chosen = null;
const detail = make("div", { class: "detail", id: "detail" }, make("p", {}, "Choose a point to see its run."));
function describe(k) {
  const index = C.index[k];
  const link = data.kept[index] ? make("a", { href: data.kept[index] }, "open its replay") : make("span", {}, "record it: ", make("code", {}, `softdock campaign --out ${data.folder} --rerun ${index}`));
  detail.replaceChildren(make("p", {}, `Run ${index}: ${C.outcome[k]}${C.reason[k] ? `, ${C.reason[k]}` : ""}. `, link), make("p", {}, [...data.drawn, ...data.metrics].filter((n) => n !== "success").map((n) => `${n} ${short(C[n][k])}`).join(" · ")));
}
function scatter() {
  const node = section("Any two columns, coloured by outcome");
  const place = make("div");
  const draw = () => {
    const [x, y] = [C[selectX.value], C[selectY.value]];
    const { svg, sx, sy } = frame(540, 380, range(x), range(y), selectX.value, selectY.value);
    for (let k = 0; k < count; k++) {
      if (!isNumber(x[k]) || !isNumber(y[k])) continue;
      const dot = make("circle", { class: "dot", cx: sx(x[k]).toFixed(1), cy: sy(y[k]).toFixed(1), r: count > 2000 ? 2 : 3.2, fill: colour[C.outcome[k]], "fill-opacity": 0.7, "data-index": C.index[k] });
      dot.addEventListener("click", () => { if (chosen) chosen.classList.remove("chosen"); chosen = dot; dot.classList.add("chosen"); describe(k); if (data.kept[C.index[k]]) window.open(data.kept[C.index[k]], "_blank"); });
      svg.append(dot);
    }
    place.replaceChildren(svg);
  };
  const metric = data.metrics.find((m) => m !== "success") || data.drawn[1] || data.drawn[0];
  const [labelX, selectX] = chooser("x", numeric, telling[0], draw);
  const [labelY, selectY] = chooser("y", numeric, telling[1] || metric, draw);
  node.append(labelX, labelY, place, detail);
  if (numeric.length) draw();
}
function envelope() {
  if (data.drawn.length < 2) return;
  const node = section("Where it succeeds"), place = make("div"), bins = count >= 1000 ? 12 : count >= 200 ? 8 : 5;
  const draw = () => {
    const [x, y] = [C[selectX.value], C[selectY.value]], rx = range(x), ry = range(y);
    const good = Array.from({ length: bins }, () => new Array(bins).fill(0)), runs = good.map((row) => [...row]);
    const cell = (v, [a, b]) => Math.min(bins - 1, Math.floor(((v - a) / (b - a)) * bins));
    for (let k = 0; k < count; k++) {
      if (!isNumber(x[k]) || !isNumber(y[k])) continue;
      runs[cell(y[k], ry)][cell(x[k], rx)]++;
      good[cell(y[k], ry)][cell(x[k], rx)] += C.success[k];
    }
    const { svg, sx, sy } = frame(540, 380, rx, ry, selectX.value, selectY.value);
    const w = (rx[1] - rx[0]) / bins, h = (ry[1] - ry[0]) / bins;
    for (let j = 0; j < bins; j++) for (let i = 0; i < bins; i++) {
      if (!runs[j][i]) continue;
      const share = good[j][i] / runs[j][i], x0 = sx(rx[0] + i * w), x1 = sx(rx[0] + (i + 1) * w), y1 = sy(ry[0] + j * h), y0 = sy(ry[0] + (j + 1) * h);
      const box = make("rect", { x: x0 + 0.5, y: y0 + 0.5, width: x1 - x0 - 1, height: y1 - y0 - 1, fill: `color-mix(in oklab, #2166ac ${(100 * share).toFixed(0)}%, #f4a582)` }, make("title", {}, `${percent(share)} of ${runs[j][i]} runs`));
      svg.append(box);
      if (x1 - x0 > 34) svg.append(make("text", { x: (x0 + x1) / 2, y: (y0 + y1) / 2 + 4, "text-anchor": "middle", style: `fill:${share > 0.5 ? "#fff" : "#222"}` }, `${Math.round(100 * share)}`));
    }
    place.replaceChildren(svg);
  };
  const [labelX, selectX] = chooser("x", data.drawn, telling[0], draw);
  const [labelY, selectY] = chooser("y", data.drawn, telling[1], draw);
  node.append(labelX, labelY, place, make("p", {}, `Share of runs (%) that end ${data.goal}, by cell; empty cells had no run.`));
  draw();
}
function sensitivity() {
  if (!data.drawn.length || !data.metrics.length) return;
  const node = section("What it depends on", true), scroll = make("div", { class: "scroll" });
  const table = make("table", { id: "correlations" }, make("tr", {}, make("th", {}, "rank correlation"), ...data.drawn.map((d) => make("th", {}, d))));
  for (const m of data.metrics) table.append(make("tr", {}, make("td", {}, m), ...data.drawn.map((d) => {
    const rho = data.correlations[m][d], strength = rho === null ? 0 : Math.round(65 * Math.abs(rho));
    return make("td", { style: `background:color-mix(in srgb, ${rho > 0 ? "#2166ac" : "#b2182b"} ${strength}%, transparent)` }, rho === null ? "–" : rho.toFixed(2));
  })));
  scroll.append(table);
  node.append(scroll, make("p", {}, "Spearman's ρ over the runs that have both numbers."));
  if (!data.sobol) return;
  const q = data.sobol.quantities, second = make("table", { id: "sobol" }, make("tr", {}, make("th", {}, "Sobol indices: first / total"), ...q.map((d) => make("th", {}, d))));
  for (const [m, s] of Object.entries(data.sobol.of)) second.append(make("tr", {}, make("td", {}, m), ...q.map((_, k) => make("td", { title: `± ${short(s.first_error[k])} / ± ${short(s.total_error[k])}` }, `${s.first[k].toFixed(2)} / ${s.total[k].toFixed(2)}`))));
  node.append(make("div", { class: "scroll" }, second), make("p", {}, "Shares of the variance by a quantity alone, and with its interactions; 95 % half-widths under the pointer."));
}
function distributions() {
  const node = section("Distributions", true), grid = make("div", { class: "small" });
  for (const name of numeric.filter((n) => n !== "success")) {
    const values = C[name], [a, b] = range(values), bins = Math.max(6, Math.min(30, Math.round(Math.sqrt(count))));
    const stacks = Array.from({ length: bins }, () => ({}));
    values.forEach((v, k) => { if (isNumber(v)) { const s = stacks[Math.min(bins - 1, Math.floor(((v - a) / (b - a)) * bins))]; s[C.outcome[k]] = (s[C.outcome[k]] || 0) + 1; } });
    const most = Math.max(1, ...stacks.map((s) => Object.values(s).reduce((x, y) => x + y, 0)));
    const { svg, sx, sy } = frame(300, 190, [a, b], [0, most], name, "runs", [3, 4]);
    stacks.forEach((s, i) => {
      let base = 0;
      for (const o of outcomes) if (s[o]) {
        const x0 = sx(a + ((b - a) * i) / bins), x1 = sx(a + ((b - a) * (i + 1)) / bins);
        svg.append(make("rect", { x: x0 + 0.3, width: Math.max(0.5, x1 - x0 - 0.6), y: sy(base + s[o]), height: sy(base) - sy(base + s[o]), fill: colour[o] }));
        base += s[o];
      }
    });
    grid.append(svg);
  }
  node.append(grid);
}
function worst() {
  const metrics = data.metrics.filter((m) => m !== "success");
  if (!metrics.length) return;
  const node = section("Worst cases", true), place = make("div", { class: "scroll" });
  const draw = () => {
    const name = metric.value, sign = end.value === "greatest" ? -1 : 1;
    const order = [...C.index.keys()].filter((k) => isNumber(C[name][k])).sort((i, j) => sign * (C[name][i] - C[name][j])).slice(0, 10);
    const table = make("table", { id: "worst" }, make("tr", {}, ...["run", "outcome", name, ...data.drawn].map((h) => make("th", {}, h)), make("th", {}, "replay")));
    for (const k of order) {
      const index = C.index[k];
      const link = data.kept[index] ? make("a", { href: data.kept[index] }, "open") : make("code", {}, `--rerun ${index}`);
      table.append(make("tr", {}, ...[index, C.outcome[k], short(C[name][k]), ...data.drawn.map((d) => short(C[d][k]))].map((t) => make("td", {}, String(t))), make("td", {}, link)));
    }
    place.replaceChildren(table);
  };
  const [labelMetric, metric] = chooser("by", metrics, metrics[0], draw);
  const [labelEnd, end] = chooser("the", ["greatest", "least"], "greatest", draw);
  const failed = [...C.index.keys()].filter((k) => C.status[k] !== "done").slice(0, 10);
  node.append(labelMetric, labelEnd, place);
  for (const k of failed) node.append(make("p", {}, `Run ${C.index[k]} failed: ${C.reason[k]}`));
  draw();
}
head(); scatter(); envelope(); sensitivity(); distributions(); worst();
