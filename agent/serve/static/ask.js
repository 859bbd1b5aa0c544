// The page to ask in: its form, its addresses (#/answer/ID), the questions that are running.

import { drawAnswer } from "./answer.js";
import { Problem, ask, get } from "./api.js";
import { $, announce, el, fill } from "./dom.js";
import { fileName, save, toJson, toMarkdown } from "./exports.js";
import { find, forget, keep, list } from "./history.js";
import { problem } from "./problem.js";
import { begin, take } from "./run.js";
import { wireSource } from "./source.js";
import { counted, dated, day } from "./text.js";
import { askToken } from "./token.js";
import { progress, treeView } from "./tree.js";

const CHOICES = ["strategy", "setting", "snapshot", "model"];
const running = new Map(); // id -> {run, stop, forgotten}
let about = null;
let view = null; // {run, draw} of the run on show

// ---- the form

const openPage = async () => {
  try {
    about = await get("/v1/about");
  } catch (error) {
    if (error.body?.status === 401) return askToken(openPage);
    return fill($("trouble"), problem(error.body ?? { detail: error.message }));
  }
  fill($("trouble"));
  offer("strategy", about.strategies.map((one) => one.name));
  offer("setting", about.settings.map((one) => one.name));
  offer("snapshot", about.snapshots.map((one) => one.name));
  offer("model", about.models.map((one) => one.id));
  $("question").maxLength = about.limits.question_characters;
  const given = new URLSearchParams(location.search);
  if (given.get("q") && !$("question").value) $("question").value = given.get("q");
  for (const name of CHOICES) {
    const wanted = given.get(name);
    if (wanted && [...$(name).options].some((option) => option.value === wanted)) $(name).value = wanted;
  }
  chosen();
};

const offer = (name, values) => {
  fill($(name), values.map((value) => el("option", { value, selected: value === about.defaults[name] }, value)));
};

const snapshotOf = (name) => about.snapshots.find((one) => one.name === name) ?? about.snapshots[0];

/** Say what the choices mean, and show what goes with them. */
const chosen = () => {
  const snapshot = snapshotOf($("snapshot").value);
  const said = [
    ["strategies", $("strategy").value],
    ["settings", $("setting").value],
  ].map(([kind, name]) => about[kind].find((one) => one.name === name)?.about ?? "");
  fill($("about"), said.filter(Boolean).join(" "));
  fill($("dated"), dated(snapshot));
  fill($("lead"), `Each question is split into steps, each step is answered from ${counted(snapshot.articles, "article")} as they stood on ${day(snapshot.date)}, and each value shows the words that prove it.`);
  $("evidence-field").hidden = $("setting").value !== "evidence";
  const examples = snapshot.examples ?? [];
  $("examples").hidden = !examples.length;
  fill($("example-list"), examples.map((one) => el("li", {}, el("button", { type: "button", onclick: () => start(one) }, one))));
};

const options = () => {
  const evidence = $("evidence").value.split("\n").map((title) => title.trim()).filter(Boolean);
  return {
    ...Object.fromEntries(CHOICES.map((name) => [name, $(name).value])),
    ...($("setting").value === "evidence" ? { evidence } : {}),
  };
};

/** Offer titles near to the line that is being written. */
let titling = null;
const nearTitles = async () => {
  titling?.abort();
  titling = new AbortController();
  const lines = $("evidence").value.split("\n");
  const line = lines.at(-1).trim();
  if (line.length < 2) return fill($("near"));
  try {
    const { titles } = await get("/v1/titles", { q: line, limit: 6, snapshot: $("snapshot").value }, titling.signal);
    const take = (title) => {
      $("evidence").value = [...lines.slice(0, -1), title, ""].join("\n");
      fill($("near"));
      $("evidence").focus();
    };
    fill($("near"), titles.map((title) => el("button", { type: "button", onclick: () => take(title) }, title)));
  } catch {
    // Titles are a convenience: what was typed is checked when it is asked.
  }
};

// ---- asking

const start = (question) => {
  const run = begin(question.trim(), options());
  const stop = new AbortController();
  running.set(run.id, { run, stop });
  location.hash = `#/answer/${run.id}`;
  // A question counts as asked from here on, also where the tab is closed on it.
  void keep(run);
  void follow(run, stop);
};

const follow = async (run, stop) => {
  try {
    await ask({ question: run.question, ...run.options }, stop.signal, (name, data) => {
      take(run, name, data);
      changed(run);
    });
  } catch (error) {
    if (error.name === "AbortError") run.state = "stopped";
    else if (error instanceof Problem) take(run, "error", error.body);
    else throw error;
    if (run.problem?.status === 401) askToken(() => start(run.question));
  } finally {
    if (run.state === "running") run.state = "failed";
    const { forgotten } = running.get(run.id);
    running.delete(run.id);
    if (!forgotten) await keep(run);
    changed(run);
  }
};

const changed = (run) => {
  if (view?.run === run) view.draw();
  if (run.state === "done") announce(run.answer.abstained ? "Nothing was found." : "The answer is there.");
  else if (run.state === "running") announce(progress(run));
  else announce(run.state === "stopped" ? "Stopped." : "It failed.");
};

// ---- one question on show

const showRun = (run) => {
  $("home").hidden = true;
  $("result").hidden = false;
  document.title = `${run.question} · fanfold`;
  fill($("asked"), run.question);
  const steps = treeView($("tree"), $("tally"));
  view = {
    run,
    draw: () => {
      fill($("kicker"), kicker(run));
      // Only when it changes: a button that is put back loses the focus.
      if (view.acted !== run.state) fill($("actions"), actions(run));
      view.acted = run.state;
      drawAnswer($("answer"), run, start);
      steps(run);
      document.querySelector(".steps").hidden = !run.plan.length && run.state !== "running";
    },
  };
  view.draw();
  $("asked").focus({ preventScroll: true });
  scrollTo(0, 0);
};

const kicker = (run) => {
  const { answer, options: set } = run;
  const snapshot = answer?.snapshot;
  const seconds = answer ? `${answer.usage.seconds.toFixed(1)} s` : null;
  const cost = answer?.usage.calls ? counted(answer.usage.calls, "model call") : null;
  const name = snapshot ? dated(snapshot) : set.snapshot;
  return [set.strategy, set.setting, name, set.model, cost, seconds].filter(Boolean).join(" · ");
};

const actions = (run) => {
  const button = (words, act, look = null) => el("button", { type: "button", class: look, onclick: act }, words);
  const other = el("a", { class: "button", href: "#/" }, "Ask another");
  if (run.state === "running") return [button("Stop", () => running.get(run.id)?.stop.abort(), "primary"), other];
  // Stop goes away as the question ends: whoever stood on it goes to the top.
  if ($("actions").contains(document.activeElement)) $("asked").focus();
  return [
    other,
    button("Change and ask again", () => again(run)),
    button("Save as Markdown", () => save(fileName(run, "md"), "text/markdown", toMarkdown(run))),
    button("Save as JSON", () => save(fileName(run, "json"), "application/json", toJson(run))),
  ];
};

const again = (run) => {
  location.hash = "#/";
  $("question").value = run.question;
  for (const name of CHOICES) if (run.options[name]) $(name).value = run.options[name];
  $("evidence").value = (run.options.evidence ?? []).join("\n");
  chosen();
};

// ---- earlier answers

const STATES = { running: "not finished", stopped: "stopped", failed: "failed" };

const drawEarlier = async () => {
  const heads = await list();
  $("earlier").hidden = !heads.length;
  fill($("earlier-list"), heads.map((head) => {
    const state = running.has(head.id) ? "running" : head.abstained ? "not found" : STATES[head.state];
    return el("li", {},
      el("a", { href: `#/answer/${head.id}` }, head.question),
      el("span", { class: "soft small" }, [day(head.at), state].filter(Boolean).join(" · ")),
      el("button", { type: "button", class: "quiet", "aria-label": `Forget: ${head.question}`, onclick: () => forgetRuns([head.id]) }, "×"));
  }));
};

const forgetRuns = async (ids) => {
  for (const id of ids) {
    const one = running.get(id);
    if (!one) continue;
    one.forgotten = true;
    one.stop.abort();
  }
  await forget(...ids);
  await drawEarlier();
  $("question").focus();
};

const forgetAll = async () => {
  if (confirm("Forget all earlier answers in this browser?")) await forgetRuns((await list()).map((one) => one.id));
};

// ---- addresses

const route = async () => {
  const id = /^#\/answer\/([0-9a-f]+)$/.exec(location.hash)?.[1];
  const run = id ? (running.get(id)?.run ?? (await find(id))) : null;
  if (run) {
    // Kept while it ran, by a tab that was closed on it.
    if (run.state === "running" && !running.has(id)) run.state = "stopped";
    return showRun(run);
  }
  view = null;
  $("result").hidden = true;
  $("home").hidden = false;
  document.title = "fanfold";
  fill($("trouble"), id ? problem({ title: "Not kept here", detail: "This answer is not kept in this browser.", mend: "Ask its question again." }) : null);
  await drawEarlier();
  $("question").focus({ preventScroll: true });
};

const submit = (event) => {
  event.preventDefault();
  if ($("question").value.trim() && about) start($("question").value);
};

$("form").addEventListener("submit", submit);
$("question").addEventListener("keydown", (event) => {
  // While a Chinese or Japanese word is being composed, Enter ends the word.
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) submit(event);
});
for (const name of CHOICES) $(name).addEventListener("change", chosen);
$("evidence").addEventListener("input", nearTitles);
$("forget-all").addEventListener("click", forgetAll);
addEventListener("hashchange", route);
wireSource("source");
await route();
await openPage();
