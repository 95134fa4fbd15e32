// Cards of a folder of runs: filter by words, sort by any metric.
import "./gallery.css";
import { element, number } from "./dom";

interface Card {
  run: string;
  scenario?: string;
  outcome: string;
  why?: string;
  page?: string;
  picture?: string;
  metrics: Record<string, number | null>;
  /** The same with units. */
  texts?: Record<string, string>;
}

const MOST = 8; // metrics on a card; one can sort by all

const cards = JSON.parse(document.getElementById("cards")!.textContent ?? "[]") as Card[];

function made(card: Card): HTMLElement {
  const article = element("article", { class: "card" });
  const name = element("h2", {}, element("bdi", {}, card.run));
  // Links are relative and made of names on disk, which may hold anything.
  const link = card.page ? element("a", { href: `./${card.page.split("/").map(encodeURIComponent).join("/")}` }) : element("div");
  const still = card.picture ? new DOMParser().parseFromString(card.picture, "text/html").querySelector("svg") : null;
  if (still) link.append(still);
  link.append(name);
  article.append(link, element("p", { class: "outcome", dir: "auto" }, [card.scenario, card.outcome].filter(Boolean).join(" · ")));
  if (card.why) article.append(element("p", { class: "why" }, card.why));
  const list = element("dl");
  for (const [key, value] of Object.entries(card.metrics).slice(0, MOST)) {
    list.append(element("dt", {}, key.replaceAll("_", " ")), element("dd", {}, value === null ? "–" : (card.texts?.[key] ?? number(value))));
  }
  article.append(list);
  return article;
}

const all = cards.map((card) => ({ card, shown: made(card), words: `${card.run} ${card.scenario ?? ""} ${card.outcome}`.toLowerCase() }));
const holder = document.getElementById("gallery")!;
const grid = element("div", { class: "grid" });
const filter = element("input", { type: "search", placeholder: "filter by name, scenario or outcome", "aria-label": "Filter" });
const sort = element("select", { "aria-label": "Sort by" });
const count = element("output");
const keys = [...new Set(cards.flatMap((card) => Object.keys(card.metrics)))];
sort.append(element("option", { value: "run" }, "name"), element("option", { value: "outcome" }, "outcome"));
for (const key of keys) sort.append(element("option", { value: `metric ${key}` }, key.replaceAll("_", " ")));
const down = element("input", { type: "checkbox", id: "down" });

function arrange(): void {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = all.filter((entry) => words.every((word) => entry.words.includes(word)));
  const key = sort.value;
  const metric = key.startsWith("metric ") ? key.slice(7) : "";
  shown.sort(({ card: a }, { card: b }) => {
    if (metric) return (a.metrics[metric] ?? Infinity) - (b.metrics[metric] ?? Infinity) || 0;
    return (key === "outcome" ? a.outcome.localeCompare(b.outcome) : 0) || a.run.localeCompare(b.run);
  });
  if (down.checked) shown.reverse();
  grid.replaceChildren(...shown.map((entry) => entry.shown));
  count.textContent = `${shown.length} of ${all.length}`;
}

for (const control of [filter, sort, down]) control.addEventListener("input", arrange);
holder.append(element("div", { class: "controls" }, filter, element("label", {}, "sort by ", sort), element("label", {}, down, " largest first"), count), grid);
arrange();
