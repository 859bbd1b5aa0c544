// The plan as a tree: drawn once, then changed in place, so that focus and what is open stay.

import { el, fill, symbol, unseen } from "./dom.js";
import { openSource } from "./source.js";
import { tally, tree } from "./run.js";
import { counted, day, value } from "./text.js";

const WORDS = {
  answered: "answered",
  unsure: "unsure",
  not_found: "not found",
  failed: "failed",
  not_asked: "not asked",
  waiting: "waiting",
  running: "working",
  stopped: "stopped",
};
const ORDER = Object.keys(WORDS);
const SHOWN = 2;

/** Return a function that draws a run into a list and a tally, and again as the run goes on. */
export const treeView = (list, summary) => {
  const rows = new Map();
  fill(list);
  return (run) => {
    const alive = new Set();
    const draw = (holder, nodes) => {
      nodes.forEach((node, place) => {
        alive.add(node.id);
        let row = rows.get(node.id);
        if (!row) rows.set(node.id, (row = makeRow()));
        if (holder.children[place] !== row.item) holder.insertBefore(row.item, holder.children[place] ?? null);
        const drawn = JSON.stringify([{ ...node, children: null }, run.answer !== null, run.state]);
        if (row.drawn !== drawn) {
          row.drawn = drawn;
          drawRow(row, node, run);
        }
        draw(row.children, node.children);
      });
    };
    draw(list, tree(run));
    for (const [id, row] of rows) {
      if (alive.has(id)) continue;
      row.item.remove();
      rows.delete(id);
    }
    fill(summary, summaryOf(run));
  };
};

const makeRow = () => {
  const head = el("div", { class: "step" });
  const children = el("ol");
  return { item: el("li", {}, head, children), head, children, drawn: "" };
};

const drawRow = (row, node, run) => {
  row.item.className = node.status;
  const background = node.kind === "background" ? [el("span", { class: "tag" }, "background"), " "] : [];
  const body = el("div", { class: "step-body" },
    el("p", { class: "step-text" }, el("span", { class: "number" }, node.id), " ", background, filled(node.text)));
  if (node.status !== "group") body.append(outcome(node, run));
  fill(row.head, symbol(node.status === "not_asked" ? "waiting" : node.status), body);
};

/** Return a step's text with its placeholders said in words. */
const filled = (text) =>
  text.split(/(\{[^{}\s]{1,20}\})/).map((part) => {
    const id = /^\{(.+)\}$/.exec(part)?.[1];
    return id ? el("span", { class: "hole" }, `found in ${id}`) : part;
  });

const outcome = (node, run) => {
  const word = WORDS[node.status];
  if (node.status === "answered" || (node.status === "unsure" && node.answer)) {
    const quotes = node.citations.map((one) => one.quote);
    return el("div", {},
      el("p", { class: "value" }, node.status === "unsure" ? el("span", { class: "tag unsure" }, "unsure") : unseen("answered: "), " ", value(node.answer, quotes) || word),
      node.status === "unsure" && node.error ? el("p", { class: "why" }, node.error) : null,
      quotesOf(node, run));
  }
  const needs = node.status === "waiting" && node.needs.length ? ` for ${node.needs.join(", ")}` : "";
  return el("p", { class: "why" }, word + needs, node.error ? `: ${node.error}` : "");
};

const quotesOf = (node, run) => {
  if (!node.citations.length) return null;
  const snapshot = run.options.snapshot;
  const all = node.citations.map((one) => ({ ...one, number: run.answer ? one.number : null, snapshot }));
  const quote = (one, place) =>
    el("li", { class: one.support },
      el("button", { type: "button", class: "quote", onclick: () => openSource(all, place) },
        el("q", {}, one.quote), " ", el("cite", {}, `${one.title}, ${day(one.timestamp)}`)));
  const items = all.map(quote);
  const list = el("ul", { class: "quotes" }, items.slice(0, SHOWN));
  if (items.length <= SHOWN) return list;
  return [list, el("details", { class: "more" }, el("summary", {}, `${counted(items.length - SHOWN, "more quote")}`), el("ul", { class: "quotes" }, items.slice(SHOWN)))];
};

const summaryOf = (run) => {
  const counts = tally(run);
  const known = ORDER.filter((status) => counts[status]);
  if (!known.length) return [];
  const bar = el("div", { class: "coverage", "aria-hidden": "true" }, known.map((status) => {
    const part = el("span", { class: status });
    part.style.flexGrow = counts[status];
    return part;
  }));
  return [bar, el("p", { class: "legend" }, known.map((status) => el("span", { class: status }, symbol(status === "not_asked" ? "waiting" : status), `${counts[status]} ${WORDS[status]}`)))];
};

/** Return one line on how far a run has come. */
export const progress = (run) => {
  const counts = tally(run);
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const open = (counts.waiting ?? 0) + (counts.running ?? 0);
  if (run.phase === "queued") return run.ahead ? `Waiting: ${counted(run.ahead, "question")} ahead` : "Waiting for a place";
  if (run.phase === "writing") return "Writing the answer";
  if (!all) return run.phase === "searching" ? "Searching" : "Planning";
  return `${all - open} of ${counted(all, "step")} looked at`;
};
