// The chunk behind a mark: its words, the quote highlighted, where and when they stood.

import { get } from "./api.js";
import { $, el, fill, link, symbol } from "./dom.js";
import { day, headed, highlighted } from "./text.js";

const AROUND = 400; // characters of the article on either side of the chunk

let shown = [];
let place = 0;
let asked = 0;
const kept = new Map();

/** Open the dialog on one of several citations (or hits); the others are a key away. */
export const openSource = (citations, index) => {
  shown = citations;
  if (!$("source").open) $("source").showModal();
  return show(index);
};

const show = async (index) => {
  place = index;
  const one = shown[place];
  const mine = ++asked;
  fill($("source-title"), one.title);
  fill($("source-place"), shown.length > 1 ? `${place + 1} of ${shown.length}` : "");
  // Not `disabled`: a button that goes out under the finger takes the focus with it.
  $("source-previous").setAttribute("aria-disabled", String(place === 0));
  $("source-next").setAttribute("aria-disabled", String(place === shown.length - 1));
  for (const name of ["source-previous", "source-next"]) $(name).hidden = shown.length < 2;
  fill($("source-facts"), facts(one));
  fill($("source-link"), link(one.url, "This revision, at its permanent address"));
  // The quote stands there at once; the chunk around it follows.
  $("source-text").setAttribute("aria-label", one.quote ? "The chunk, its quote highlighted" : "The chunk");
  fill($("source-text"), one.quote ? el("mark", {}, one.quote) : (one.text ?? "…"));
  try {
    const chunk = await chunkOf(one);
    if (mine === asked) showChunk(one, chunk);
  } catch (problem) {
    if (mine === asked) $("source-text").append(el("p", { class: "warning" }, problem.message));
  }
};

const showChunk = (one, chunk) => {
  const [start, end] = one.quote ? [one.start - chunk.start, one.end - chunk.start] : [0, 0];
  const around = (text) => (text ? el("span", { class: "around" }, headed(text)) : null);
  fill($("source-text"), around(chunk.before), el("span", { class: "chunk" }, highlighted(chunk.text, start, end, one.quote)), around(chunk.after));
  fill($("source-facts"), facts({ ...one, section: chunk.section }));
  $("source-text").querySelector("mark, .chunk").scrollIntoView({ block: "center" });
};

const chunkOf = async ({ chunk_id, snapshot }) => {
  const key = `${snapshot ?? ""} ${chunk_id}`;
  if (!kept.has(key)) {
    if (kept.size > 200) kept.clear();
    kept.set(key, await get(`/v1/chunks/${encodeURIComponent(chunk_id)}`, { around: AROUND, snapshot }));
  }
  return kept.get(key);
};

const facts = (one) => {
  const rows = [
    ["Section", one.section || "the lead"],
    ["Revision", `${one.rev_id}, of ${day(one.timestamp)}`],
    ["Chunk", one.chunk_id],
  ];
  if (one.number) rows.unshift(["Mark", `[${one.number}]${one.support === "unsure" ? ", unsure: the quote does not prove all of it" : ""}`]);
  if (one.caveat) rows.push(["Note", one.caveat]);
  return rows.flatMap(([name, words]) => [el("dt", {}, name), el("dd", {}, words)]);
};

/** Put the dialog into the page, its buttons and keys at work; once, when the page has loaded. */
export const wireSource = (noun) => {
  const go = (by) => {
    if (shown[place + by]) show(place + by);
  };
  const button = (name, attributes, text, onclick) =>
    el("button", { class: "quiet", type: "button", id: `source-${name}`, ...attributes, onclick }, text);
  const dialog = el("dialog", { id: "source", "aria-labelledby": "source-title" },
    el("div", { class: "sheet" },
      el("div", { class: "row top" },
        el("p", { class: "kicker", id: "source-place", "aria-live": "polite" }),
        el("div", { class: "row tight" },
          button("previous", { "aria-label": `Previous ${noun}` }, "←", () => go(-1)),
          button("next", { "aria-label": `Next ${noun}` }, "→", () => go(1)),
          button("close", {}, "Close", () => dialog.close()))),
      el("h2", { id: "source-title" }),
      el("div", { class: "passage", id: "source-text", tabindex: "0", autofocus: true, role: "region" }),
      el("dl", { class: "facts", id: "source-facts" }),
      el("p", { id: "source-link" })));
  document.body.append(dialog);
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft") go(-1);
    if (event.key === "ArrowRight") go(1);
  });
  // A click beside the dialog's own box lands on the dialog element itself.
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
};
