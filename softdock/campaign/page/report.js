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
const unitOf = (name) => (data.units[name] && data.units[name] !== "-" ? data.units[name] : "");
const words = (name) => name.replaceAll("_", " ");
/** Factor and label of an axis: numbers between 0.1 and 1000 where SI's prefixes can make them so. */
function axisOf(name, values) {
  const unit = unitOf(name), size = Math.max(...range(values).map(Math.abs));
  const takes = ["m", "rad", "s", "N", "J"].includes(unit.split(/[ /]/)[0]) && !unit.includes(" or ");
  const [factor, prefix] = !takes || size >= 0.1 || size < 1e-9 ? [1, ""] : size >= 1e-4 ? [1e3, "m"] : size >= 1e-7 ? [1e6, "µ"] : [1e9, "n"];
  return { factor, label: unit ? `${words(name)} (${prefix}${unit})` : words(name) };
}
const scaled = (values, factor) => (factor === 1 ? values : values.map((x) => (isNumber(x) ? x * factor : x)));
const withUnit = (name, x) => `${short(x)}${isNumber(x) && unitOf(name) ? ` ${unitOf(name)}` : ""}`;

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
  for (const name of names) select.append(make("option", { value: name, title: data.meanings[name] || "", ...(name === chosen ? { selected: "" } : {}) }, words(name)));
  select.addEventListener("change", () => change());
  return [make("label", {}, `${label} `, select), select];
}
const short = (x) => (x === null || x === undefined ? "–" : typeof x !== "number" ? String(x) : Number.isInteger(x) ? String(x) : plain(x));
function plain(x) {
  const size = Math.abs(x), digits = Number(x.toPrecision(4));
  return size >= 1e-3 && size < 1e6 ? String(digits) : digits.toExponential().replace("e+", "e");
}
const percent = (x) => `${(100 * x).toFixed(1)} %`;
const isNumber = (x) => typeof x === "number" && Number.isFinite(x);
function range(values) {
  let low = Infinity, high = -Infinity;
  for (const x of values) if (isNumber(x)) { low = Math.min(low, x); high = Math.max(high, x); }
  return low > high ? [0, 1] : low === high ? [low - 0.5, high + 0.5] : [low, high];
}
function roomy([low, high]) {
  return [low - 0.03 * (high - low), high + 0.03 * (high - low)];
}
function ticks(low, high, most) {
  const rough = (high - low) / most, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough);
  const found = [];
  for (let k = Math.ceil(low / step); k * step <= high * (1 + 1e-12) + 1e-300; k++) found.push(Number((k * step).toPrecision(12)));
  return found;
}
const LARGE = innerWidth < 520 ? [360, 300] : [620, 400]; // so that its words can be read
function frame(W, H, [x0, x1], [y0, y1], nameX, nameY, [nx, ny] = [W < 500 ? 4 : 6, 6]) {
  const left = 66, bottom = 44, top = 8, right = 16;
  const sx = (x) => left + ((x - x0) / (x1 - x0)) * (W - left - right);
  const sy = (y) => H - bottom - ((y - y0) / (y1 - y0)) * (H - top - bottom);
  const svg = make("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": `${nameY} over ${nameX}` });
  svg.append(make("path", { class: "axis", d: `M${left},${top}V${H - bottom}H${W - right}` }));
  for (const t of ticks(x0, x1, nx)) svg.append(make("line", { class: "axis", x1: sx(t), x2: sx(t), y1: H - bottom, y2: H - bottom + 4 }), make("text", { x: sx(t), y: H - bottom + 16, "text-anchor": "middle" }, short(t)));
  for (const t of ticks(y0, y1, ny)) svg.append(make("line", { class: "axis", x1: left - 4, x2: left, y1: sy(t), y2: sy(t) }), make("text", { x: left - 7, y: sy(t) + 4, "text-anchor": "end" }, short(t)));
  svg.append(make("text", { class: "name", x: (left + W - right) / 2, y: H - 7, "text-anchor": "middle" }, nameX));
  svg.append(make("text", { class: "name", x: 13, y: (H - bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 13 ${(H - bottom) / 2})` }, nameY));
  return { svg, sx, sy };
}

const weight = (d) => Math.abs((data.correlations.success || {})[d] || 0);
const telling = [...data.drawn].sort((a, b) => weight(b) - weight(a));
const measured = data.metrics.filter((m) => m !== "success");
const deciding = measured.find((m) => m === data.deciding) || measured[0];

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
  detail.replaceChildren(make("p", {}, `Run ${index}: ${C.outcome[k]}${C.reason[k] ? `, ${C.reason[k]}` : ""}. `, link), make("p", {}, [...data.drawn, ...measured].map((n) => `${words(n)} ${withUnit(n, C[n][k])}`).join(" · ")));
}
function scatter() {
  const node = section("Any two columns, coloured by outcome");
  const place = make("div");
  const draw = () => {
    const [ax, ay] = [axisOf(selectX.value, C[selectX.value]), axisOf(selectY.value, C[selectY.value])];
    const [x, y] = [scaled(C[selectX.value], ax.factor), scaled(C[selectY.value], ay.factor)];
    const { svg, sx, sy } = frame(...LARGE, roomy(range(x)), roomy(range(y)), ax.label, ay.label);
    for (let k = 0; k < count; k++) {
      if (!isNumber(x[k]) || !isNumber(y[k])) continue;
      const dot = make("circle", { class: "dot", cx: sx(x[k]).toFixed(1), cy: sy(y[k]).toFixed(1), r: count > 2000 ? 2 : 3.2, fill: colour[C.outcome[k]], "fill-opacity": 0.7, "data-index": C.index[k] });
      dot.addEventListener("click", () => { if (chosen) chosen.classList.remove("chosen"); chosen = dot; dot.classList.add("chosen"); describe(k); if (data.kept[C.index[k]]) window.open(data.kept[C.index[k]], "_blank"); });
      svg.append(dot);
    }
    place.replaceChildren(svg);
  };
  const [labelX, selectX] = chooser("x", numeric, data.drawn[0] || measured[0], draw);
  const [labelY, selectY] = chooser("y", numeric, deciding || data.drawn[1] || data.drawn[0], draw);
  node.append(labelX, labelY, place, detail);
  if (numeric.length) draw();
}
function envelope() {
  if (data.drawn.length < 2) return;
  const node = section("Where it succeeds"), place = make("div"), bins = count >= 1000 ? 12 : count >= 200 ? 8 : 5;
  const draw = () => {
    const [ax, ay] = [axisOf(selectX.value, C[selectX.value]), axisOf(selectY.value, C[selectY.value])];
    const [x, y] = [scaled(C[selectX.value], ax.factor), scaled(C[selectY.value], ay.factor)], rx = range(x), ry = range(y);
    const good = Array.from({ length: bins }, () => new Array(bins).fill(0)), runs = good.map((row) => [...row]);
    const cell = (v, [a, b]) => Math.min(bins - 1, Math.floor(((v - a) / (b - a)) * bins));
    for (let k = 0; k < count; k++) {
      if (!isNumber(x[k]) || !isNumber(y[k])) continue;
      runs[cell(y[k], ry)][cell(x[k], rx)]++;
      good[cell(y[k], ry)][cell(x[k], rx)] += C.success[k];
    }
    const { svg, sx, sy } = frame(...LARGE, rx, ry, ax.label, ay.label);
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
  const table = make("table", { id: "correlations" }, make("tr", {}, make("th", {}, "rank correlation"), ...data.drawn.map((d) => make("th", { title: data.meanings[d] || "" }, words(d)))));
  for (const m of data.metrics) table.append(make("tr", {}, make("td", { title: data.meanings[m] || "" }, words(m)), ...data.drawn.map((d) => {
    const rho = data.correlations[m][d], strength = rho === null ? 0 : Math.round(65 * Math.abs(rho));
    return make("td", { style: `background:color-mix(in srgb, ${rho > 0 ? "#2166ac" : "#b2182b"} ${strength}%, transparent)` }, rho === null ? "–" : rho.toFixed(2));
  })));
  scroll.append(table);
  node.append(scroll, make("p", {}, "Spearman's ρ over the runs that have both numbers."));
  if (!data.sobol) return;
  const q = data.sobol.quantities, second = make("table", { id: "sobol" }, make("tr", {}, make("th", {}, "Sobol indices: first / total"), ...q.map((d) => make("th", {}, words(d)))));
  for (const [m, s] of Object.entries(data.sobol.of)) second.append(make("tr", {}, make("td", {}, words(m)), ...q.map((_, k) => make("td", { title: `± ${short(s.first_error[k])} / ± ${short(s.total_error[k])}` }, `${s.first[k].toFixed(2)} / ${s.total[k].toFixed(2)}`))));
  node.append(make("div", { class: "scroll" }, second), make("p", {}, "Shares of the variance by a quantity alone, and with its interactions; 95 % half-widths under the pointer."));
}
function distributions() {
  const node = section("Distributions", true), grid = make("div", { class: "small" });
  for (const name of numeric.filter((n) => n !== "success")) {
    const axis = axisOf(name, C[name]), values = scaled(C[name], axis.factor), [a, b] = range(values), bins = Math.max(6, Math.min(30, Math.round(Math.sqrt(count))));
    const stacks = Array.from({ length: bins }, () => ({}));
    values.forEach((v, k) => { if (isNumber(v)) { const s = stacks[Math.min(bins - 1, Math.floor(((v - a) / (b - a)) * bins))]; s[C.outcome[k]] = (s[C.outcome[k]] || 0) + 1; } });
    const most = Math.max(1, ...stacks.map((s) => Object.values(s).reduce((x, y) => x + y, 0)));
    const { svg, sx, sy } = frame(300, 190, [a, b], [0, most], axis.label, "runs", [3, 4]);
    stacks.forEach((s, i) => {
      let base = 0;
      for (const o of outcomes) if (s[o]) {
        const x0 = sx(a + ((b - a) * i) / bins), x1 = sx(a + ((b - a) * (i + 1)) / bins);
        svg.append(make("rect", { x: x0 + 0.3, width: Math.max(0.5, x1 - x0 - 0.6), y: sy(base + s[o]), height: sy(base) - sy(base + s[o]), fill: colour[o] }));
        base += s[o];
      }
    });
    if (data.meanings[name]) svg.append(make("title", {}, `${words(name)}: ${data.meanings[name]}`));
    grid.append(svg);
  }
  node.append(grid);
}
function worst() {
  if (!measured.length) return;
  const node = section("Extremes", true), place = make("div", { class: "scroll" });
  const draw = () => {
    const name = metric.value, sign = end.value === "greatest" ? -1 : 1;
    const order = [...C.index.keys()].filter((k) => isNumber(C[name][k])).sort((i, j) => sign * (C[name][i] - C[name][j])).slice(0, 10);
    const table = make("table", { id: "worst" }, make("tr", {}, ...["run", "outcome", ...[name, ...data.drawn].map(headed)].map((h) => make("th", {}, h)), make("th", {}, "replay")));
    for (const k of order) {
      const index = C.index[k];
      const link = data.kept[index] ? make("a", { href: data.kept[index] }, "open") : make("code", {}, `--rerun ${index}`);
      table.append(make("tr", {}, ...[index, C.outcome[k], short(C[name][k]), ...data.drawn.map((d) => short(C[d][k]))].map((t) => make("td", {}, String(t))), make("td", {}, link)));
    }
    place.replaceChildren(table);
  };
  const [labelMetric, metric] = chooser("by", measured, deciding, draw);
  const [labelEnd, end] = chooser("the", ["greatest", "least"], "greatest", draw);
  node.append(labelMetric, labelEnd, place);
  draw();
}
const headed = (name) => (unitOf(name) ? `${words(name)} (${unitOf(name)})` : words(name));
function failures() {
  const failed = [...C.index.keys()].filter((k) => !C.success[k]);
  if (!failed.length) return;
  failed.sort((i, j) => (C.status[i] === "done") - (C.status[j] === "done"));
  const most = 12, node = section(`Runs that did not end ${data.goal}`, true);
  const shownMetrics = deciding ? [deciding] : [], told = failed.some((k) => C.reason[k]);
  const table = make("table", { id: "failures" }, make("tr", {}, ...["run", "outcome", ...[...data.drawn, ...shownMetrics].map(headed), "replay", ...(told ? ["why"] : [])].map((h) => make("th", {}, h))));
  for (const k of failed.slice(0, most)) {
    const index = C.index[k];
    const link = data.kept[index] ? make("a", { href: data.kept[index] }, "open") : make("code", {}, `--rerun ${index}`);
    table.append(make("tr", {}, make("td", {}, String(index)), make("td", {}, make("i", { class: "key", style: `background:${colour[C.outcome[k]]}` }), C.outcome[k]), ...[...data.drawn, ...shownMetrics].map((d) => make("td", {}, short(C[d][k]))), make("td", {}, link), ...(told ? [make("td", { class: "why" }, C.reason[k] || "–")] : [])));
  }
  node.append(make("div", { class: "scroll" }, table));
  if (failed.length > most) node.append(make("p", {}, `${failed.length - most} more; all are in results.parquet.`));
}
head(); failures(); scatter(); envelope(); sensitivity(); distributions(); worst();
