// The answer, its marks and its sources.

import { el, fill, symbol } from "./dom.js";
import { problem } from "./problem.js";
import { byNumber } from "./run.js";
import { openSource } from "./source.js";
import { counted, day, extract, folded, prose } from "./text.js";
import { progress } from "./tree.js";

const FEW = 3; // remarks that are shown without being asked for

/** Draw what there is of an answer. `next`: called with a suggestion that was chosen. */
export const drawAnswer = (holder, run, next) => {
  if (run.state === "running") {
    const line = el("p", { class: "progress" }, symbol("running"), el("span", {}, progress(run)));
    fill(holder, line);
  } else if (run.answer) {
    fill(holder, whole(run, next));
  } else if (run.problem) {
    fill(holder, problem(run.problem));
  } else {
    fill(holder, el("div", { class: "notice" }, el("h2", {}, "Stopped"), el("p", {}, "The question was stopped before its answer. What was found until then stands under Steps.")));
  }
};

const whole = (run, next) => {
  const { answer } = run;
  const cited = answer.citations.map((one) => ({ ...one, snapshot: run.options.snapshot }));
  const numbers = byNumber(cited);
  const mark = (number) => {
    const one = numbers.get(number);
    return one ? markOf(one, () => openSource(cited, cited.indexOf(one))) : null;
  };
  const text = el("div", { class: answer.abstained ? "prose abstained" : "prose" }, prose(answer.answer, mark));
  return [
    answer.abstained ? el("p", { class: "kicker" }, "Not found") : null,
    text,
    answer.unsupported ? el("p", { class: "warning" }, "No citation of this answer could be verified.") : null,
    passages(answer, run),
    cautions(answer),
    sources(cited),
    suggestions(answer, next),
  ];
};

const markOf = (one, open) => {
  const unsure = one.support === "unsure";
  return el("button", {
    type: "button",
    class: unsure ? "mark unsure" : "mark",
    "aria-label": `Source ${one.number}${unsure ? ", unsure" : ""}: ${one.title}`,
    onclick: open,
  }, String(one.number));
};

const sources = (cited) => {
  if (!cited.length) return null;
  const revisions = new Map();
  cited.forEach((one, place) => {
    if (!revisions.has(one.rev_id)) revisions.set(one.rev_id, []);
    revisions.get(one.rev_id).push([one, place]);
  });
  return el("section", { class: "sources" },
    el("h2", {}, "Sources"),
    el("ul", {}, [...revisions.values()].map((group) => {
      const [first] = group[0];
      const when = `, revision of ${day(first.timestamp)}${first.caveat ? ` (${first.caveat})` : ""}`;
      const marks = group.map(([one, place]) => markOf(one, () => openSource(cited, place)));
      return el("li", {}, first.title, el("span", { class: "soft" }, when), " ", el("span", { class: "marks" }, marks));
    })));
};

const passages = (answer, run) => {
  if (!answer.passages.length) return null;
  const all = answer.passages.map((one) => ({ ...one, number: null, snapshot: run.options.snapshot }));
  return el("section", {},
    el("h2", {}, "Nearest passages"),
    el("p", { class: "soft small" }, "They prove nothing by themselves."),
    el("ul", { class: "quotes" }, all.map((one, place) =>
      el("li", {}, el("button", { type: "button", class: "quote", onclick: () => openSource(all, place) }, el("q", {}, extract(one.quote) || one.quote), " ", el("cite", {}, `${one.title}, ${day(one.timestamp)}`))))));
};

const cautions = (answer) => {
  const parts = [];
  const struck = folded(answer.struck);
  const add = (title, items) => {
    if (items.length) parts.push(el("h3", {}, title), el("ul", {}, items.map((item) => el("li", {}, item))));
  };
  add("Sentences without a mark", answer.uncited_sentences);
  add("Struck out, because it could not be verified", struck);
  add("Notes", answer.notes);
  if (!parts.length) return null;
  const count = answer.uncited_sentences.length + struck.length + answer.notes.length;
  return el("details", { class: "cautions", open: count <= FEW }, el("summary", {}, `${counted(count, "remark")} on this answer`), parts);
};

const suggestions = (answer, next) => {
  if (!answer.suggestions.length) return null;
  return el("section", { class: "suggestions" },
    el("h2", {}, "To ask next"),
    el("ul", { class: "list" }, answer.suggestions.map((one) => el("li", {}, el("button", { type: "button", class: "as-link", onclick: () => next(one) }, one)))));
};
