// The page that compares ways to search: one query, three columns, each hit with its other ranks.

import { Problem, get } from "./api.js";
import { $, announce, el, fill } from "./dom.js";
import { problem } from "./problem.js";
import { openSource, wireSource } from "./source.js";
import { dated, extract } from "./text.js";
import { askToken } from "./token.js";

const MODES = { bm25: "BM25+", dense: "Dense", hybrid: "Hybrid" };
let about = null;
let asked = null;

const openPage = async () => {
  try {
    about = await get("/v1/about");
  } catch (error) {
    if (error.body?.status === 401) return askToken(openPage);
    return fill($("trouble"), problem(error.body ?? { detail: error.message }));
  }
  fill($("trouble"));
  fill($("snapshot"), about.snapshots.map((one) => el("option", { value: one.name }, one.name)));
  sayDate();
  await fromAddress();
};

const sayDate = () => {
  const snapshot = about.snapshots.find((one) => one.name === $("snapshot").value) ?? about.snapshots[0];
  fill($("dated"), dated(snapshot));
};

/** Take query, snapshot and number of hits from the page's address, which can be passed on. */
const fromAddress = async () => {
  const given = new URLSearchParams(location.search);
  for (const name of ["snapshot", "k"]) {
    if ([...$(name).options].some((option) => option.value === given.get(name))) $(name).value = given.get(name);
  }
  $("query").value = given.get("q") ?? "";
  if ($("query").value) await search();
  else $("query").focus();
};

const search = async () => {
  const query = $("query").value.trim();
  const snapshot = $("snapshot").value;
  const k = Number($("k").value);
  asked?.abort();
  asked = new AbortController();
  const { signal } = asked;
  $("columns").setAttribute("aria-busy", "true");
  const outcomes = await Promise.all(Object.keys(MODES).map(async (mode) => {
    try {
      return (await get("/v1/search", { q: query, k, mode, snapshot }, signal)).results[0].hits;
    } catch (error) {
      if (error instanceof Problem || error.name === "AbortError") return error;
      throw error;
    }
  }));
  if (signal.aborted) return undefined;
  $("columns").removeAttribute("aria-busy");
  const refused = outcomes.find((one) => one instanceof Problem && one.body.status === 401);
  if (refused) return askToken(search);
  const columns = Object.fromEntries(Object.keys(MODES).map((mode, place) => [mode, outcomes[place]]));
  return draw(columns, query, k, snapshot);
};

const draw = (columns, query, k, snapshot) => {
  const found = Object.entries(columns).filter(([, hits]) => Array.isArray(hits));
  const ranks = {};
  for (const [mode, hits] of found) {
    for (const hit of hits) (ranks[hit.chunk_id] ??= {})[mode] = hit.rank;
  }
  $("tabs").hidden = false;
  document.title = `${query} · fanfold`;
  const said = sharing(columns, k);
  fill($("shared"), said);
  announce(found.map(([mode, hits]) => `${MODES[mode]}: ${hits.length} hits.`).join(" "));
  fill($("columns"), Object.entries(columns).map(([mode, hits]) =>
    el("section", { class: `column ${mode}`, "aria-labelledby": `head-${mode}` },
      el("h2", { id: `head-${mode}` }, MODES[mode]),
      Array.isArray(hits) ? list(mode, hits, ranks, found.map(([name]) => name), snapshot) : problem(hits.body))));
};

/** Say how many of the first hits two columns have in common. */
const sharing = (columns, k) => {
  const common = (a, b) => {
    if (!Array.isArray(columns[a]) || !Array.isArray(columns[b])) return null;
    const ids = new Set(columns[a].map((hit) => hit.chunk_id));
    const number = columns[b].filter((hit) => ids.has(hit.chunk_id)).length;
    return `${MODES[a]} and ${MODES[b]} share ${number}`;
  };
  const said = [common("bm25", "dense"), common("bm25", "hybrid"), common("dense", "hybrid")].filter(Boolean);
  return said.length ? `Of the first ${k} chunks, ${said.join(", ")}.` : "";
};

const list = (mode, hits, ranks, modes, snapshot) => {
  if (!hits.length) return el("p", { class: "soft" }, "Nothing matches.");
  const all = hits.map((hit) => ({ ...hit, snapshot }));
  return el("ol", { class: "hits" }, all.map((hit, place) => {
    const card = el("li", { class: "hit", data: { chunk: hit.chunk_id } },
      el("span", { class: "rank", "aria-hidden": "true" }, String(hit.rank)),
      el("div", {},
        el("button", { type: "button", class: "as-link title", onclick: () => openSource(all, place) }, hit.title),
        hit.section ? el("p", { class: "soft small" }, hit.section) : null,
        el("p", { class: "extract" }, extract(hit.text)),
        el("p", { class: "elsewhere small" }, modes.filter((other) => other !== mode).map((other) => elsewhere(other, ranks[hit.chunk_id][other], hit.rank)))));
    const lit = (on) => () => {
      for (const twin of document.querySelectorAll(".hit")) twin.classList.toggle("lit", on && twin.dataset.chunk === hit.chunk_id);
    };
    for (const [name, on] of [["mouseenter", true], ["focusin", true], ["mouseleave", false], ["focusout", false]]) card.addEventListener(name, lit(on));
    return card;
  }));
};

const elsewhere = (mode, rank, here) => {
  if (!rank) return el("span", { class: "absent" }, `${MODES[mode]}: not among them`);
  const moved = rank < here ? "higher" : rank > here ? "lower" : "same";
  return el("span", { class: moved }, `${MODES[mode]}: ${rank}`);
};

const submit = async () => {
  if (!about || !$("query").value.trim()) return;
  const address = new URLSearchParams({ q: $("query").value.trim(), k: $("k").value, snapshot: $("snapshot").value });
  history.pushState(null, "", `/search?${address}`);
  await search();
};

$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  void submit();
});
for (const name of ["snapshot", "k"]) $(name).addEventListener("change", () => {
  sayDate();
  void submit();
});
addEventListener("popstate", () => void fromAddress());
wireSource("hit");
await openPage();
