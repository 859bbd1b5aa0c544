"use strict";
(() => {
  // Every text goes into the page as textContent: what a question holds is never markup.
  const $ = (id) => document.getElementById(id);
  const el = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === false || value == null) continue;
      if (name === "onclick") node.addEventListener("click", value);
      else node.setAttribute(name, value === true ? "" : value);
    }
    for (const child of children.flat()) if (child != null) node.append(child);
    return node;
  };
  const section = (title, ...children) => [el("h3", {}, title), ...children];
  const fold = (title, open, ...children) =>
    el("details", { open }, el("summary", {}, el("h3", {}, title)), ...children);
  const state = (name, whose = "") => el("span", { class: "state " + name.replace(/[ _]/g, "-") }, name.replace(/_/g, " ") + whose);
  // Links come from snapshots: only web addresses become links.
  const link = (url, text) =>
    /^https?:\/\//i.test(url || "") ? el("a", { href: url, rel: "noreferrer noopener" }, text) : text;
  const plain = (value) => typeof value === "string" || typeof value === "number";
  const say = (value) => (plain(value) ? String(value) : Array.isArray(value) && value.every(plain) ? value.join(", ") : JSON.stringify(value));

  const data = JSON.parse($("data").textContent);
  const several = data.runs.length > 1;
  const fixed = (digits) => (value) => (value == null ? "–" : value.toFixed(digits).replace("-", "−"));
  const whole = (value) => (value == null ? "–" : Math.round(value).toLocaleString("en"));
  const most = (rows, name) => (rows.some((row) => row) ? rows.reduce((sum, row) => sum + ((row && row[name]) || 0), 0) : null);

  // Links name a question by its id: they stay when runs or questions are added.
  const place = new Map(data.questions.map((q, n) => [q.id, n]));
  const linkTo = (n) => "#q=" + encodeURIComponent(data.questions[n].id);

  // ---- the table of questions
  const ofAll = several ? ", all runs" : "";
  const groups = [...new Set(data.questions.flatMap((q) => Object.keys(q.g)))];
  const columns = [{ name: "question", get: (q) => q.q.toLowerCase() }];
  for (const group of groups) columns.push({ name: group, get: (q) => q.g[group] || "" });
  data.runs.forEach((run, n) => {
    columns.push({ name: several ? run : data.headline, get: (q) => (q.r[n] ? q.r[n].v : null), show: fixed(3), run: n });
  });
  if (several) {
    const spread = (q) => {
      const values = q.r.filter((r) => r && r.v != null).map((r) => r.v);
      return values.length > 1 ? Math.max(...values) - Math.min(...values) : null;
    };
    columns.push({ name: "spread", get: spread, show: fixed(3) });
  }
  if (data.questions.some((q) => most(q.r, "t"))) columns.push({ name: "tokens" + ofAll, get: (q) => most(q.r, "t"), show: whole });
  if (data.questions.some((q) => most(q.r, "c"))) columns.push({ name: "$" + ofAll, get: (q) => most(q.r, "c"), show: fixed(4) });
  columns.push({ name: "seconds" + ofAll, get: (q) => most(q.r, "d"), show: fixed(1) });

  const statesOf = (q) => [...new Set(q.r.map((r) => (r ? r.s : "missing")))];
  const whose = (q, s) => {
    const those = data.runs.filter((_, n) => (q.r[n] ? q.r[n].s : "missing") === s);
    return those.length === data.runs.length ? "" : ": " + (those.length < 3 ? those.join(", ") : those.length + " of " + data.runs.length + " runs");
  };
  const rows = data.questions.map((q, n) => {
    const states = statesOf(q).filter((s) => s !== "scored");
    const row = el(
      "tr", {},
      el("th", { scope: "row" }, el("a", { href: linkTo(n) }, q.q || q.id), ...states.flatMap((s) => [" ", state(s, several ? whose(q, s) : "")])),
      columns.slice(1).map((column) => {
        const value = column.get(q);
        return column.show
          ? el("td", { class: "number", "data-label": column.name }, column.show(value))
          : el("td", { "data-label": value ? column.name : null }, value);
      }),
    );
    return { n, q, row, words: (q.id + " " + q.q + " " + Object.values(q.g).join(" ")).toLowerCase(), states: statesOf(q) };
  });
  const list = $("list");
  const body = list.tBodies[0];
  let shown = rows;
  let order = { column: -1, up: true };

  const headers = columns.map((column, n) =>
    el("th", { scope: "col", class: column.show ? "number" : null }, el("button", { type: "button", onclick: () => sortBy(n) }, column.name)),
  );
  list.tHead.append(el("tr", {}, headers));
  $("order").append(el("option", { value: "-1" }, "as in the data"));
  columns.forEach((column, n) => {
    const [up, down] = column.show ? ["lowest first", "highest first"] : ["A to Z", "Z to A"];
    $("order").append(el("option", { value: n + "u" }, column.name + ", " + up), el("option", { value: n + "d" }, column.name + ", " + down));
  });
  for (const name of new Set(rows.flatMap((row) => row.states))) $("state").append(el("option", { value: name }, name));

  const collator = new Intl.Collator("en", { numeric: true });
  const compare = (a, b) => {
    if (order.column < 0) return a.n - b.n;
    const get = columns[order.column].get;
    const [x, y] = [get(a.q), get(b.q)];
    // What has no value stands last, whichever way is up.
    if (x == null || y == null) return (x == null) - (y == null) || a.n - b.n;
    const by = typeof x === "string" ? collator.compare(x, y) : x - y;
    return (order.up ? by : -by) || a.n - b.n;
  };
  const draw = () => {
    const words = $("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = $("state").value;
    shown = rows
      .filter((row) => words.every((word) => row.words.includes(word)) && (!wanted || row.states.includes(wanted)))
      .sort(compare);
    body.replaceChildren(...shown.map((row) => row.row));
    $("count").textContent = shown.length === rows.length ? rows.length + " questions" : shown.length + " of " + rows.length;
    headers.forEach((header, n) => {
      if (n === order.column) header.setAttribute("aria-sort", order.up ? "ascending" : "descending");
      else header.removeAttribute("aria-sort");
    });
    $("order").value = order.column < 0 ? "-1" : order.column + (order.up ? "u" : "d");
  };
  const sortBy = (column) => {
    const numbers = Boolean(columns[column].show);
    order = { column, up: order.column === column ? !order.up : !numbers };
    draw();
  };
  $("filter").addEventListener("input", draw);
  $("state").addEventListener("change", draw);
  $("order").addEventListener("change", () => {
    const value = $("order").value;
    order = value === "-1" ? { column: -1, up: true } : { column: parseInt(value, 10), up: value.endsWith("u") };
    draw();
  });
  $("tools").addEventListener("submit", (event) => event.preventDefault());
  draw();

  // ---- one question's page
  const parsed = new Promise((done) => {
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", done);
    else done();
  });
  const unpack = async (id) => {
    await parsed;
    const holder = $(id);
    if (!holder) return null;
    const bytes = Uint8Array.from(atob(holder.textContent.trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  };
  const text = (segments, cite) =>
    el("div", { class: "text" }, segments.map((s) => {
      const inner = s.c == null || !cite ? s.t : el("a", { href: "#", onclick: (event) => { event.preventDefault(); cite(s.c); } }, s.t);
      return s.m ? el("mark", { title: s.m }, inner) : inner;
    }));
  const table = (names, lines, stacked = false) =>
    el("div", { class: stacked ? "wide stacked" : "wide" }, el("table", {},
      el("thead", {}, el("tr", {}, names.map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, lines.map((line) => el("tr", {}, line.map((cell, at) =>
        el("td", { "data-label": stacked ? names[at] : null, class: typeof cell === "number" ? "number" : null }, typeof cell === "number" ? cell.toLocaleString("en") : Array.isArray(cell) ? cell.flat() : cell)))))));
  // A mark in an answer of the plan opens the quote that it stands for, below it.
  const found = (node) => {
    if (node.error) return el("span", { class: "found" }, (node.status === "failed" ? "failed: " : "") + node.error);
    if (!node.answer.length) return null;
    const quote = el("span", { class: "quote", hidden: true });
    const show = (number) => {
      const c = node.quotes.find((one) => one.number === number);
      if (!c) return;
      quote.replaceChildren("[" + number + "] “" + c.quote + "” ", el("span", { class: "soft" }, link(c.url, c.title), " " + c.date));
      quote.hidden = false;
    };
    return el("span", { class: "found" }, node.answer.map((s) => s.c == null ? s.t
      : el("a", { href: "#", onclick: (event) => { event.preventDefault(); show(s.c); } }, s.t)), quote);
  };
  const sign = (is) => is == null ? el("span", { class: "soft", title: "not applicable" }, "–")
    : el("span", { class: is ? "yes" : "no" }, is ? "✓" : "✗");
  const stepsOf = (steps) => table(["gold step", "gold answer", "own step", "its answer", "retrieved", "read"],
    steps.map((s) => [
      [el("b", {}, s.id + " "), s.gold, s.first ? [" ", state("first fault")] : null],
      s.wanted == null ? "" : say(s.wanted), s.own == null ? el("span", { class: "no" }, "not asked") : s.own, s.said,
      s.own == null ? "" : sign(s.retrieved), s.own == null ? "" : sign(s.read)]), true);
  const tree = (nodes) =>
    el("ul", {}, nodes.map((node) => el("li", {},
      el("b", {}, node.id + " "), node.text + " ", state(node.status), " ",
      el("span", { class: "soft" }, node.kind.replace("_", "-") + (node.needs.length ? ", needs also " + node.needs.join(", ") : "")),
      found(node),
      node.children.length ? tree(node.children) : null)));
  const chunk = (c) =>
    el("details", { class: "chunk", open: c.text.some((s) => s.m) },
      el("summary", {}, c.n + ". ", el("b", {}, c.title), c.section ? " › " + c.section : "", " ",
        el("span", { class: "soft" }, [c.source && c.source + " rank " + c.rank + ", score " + c.score, c.date].filter(Boolean).join(" · "))),
      text(c.text), c.url ? el("p", { class: "note" }, link(c.url, "the article as it stood")) : null);
  const money = (usage) => (usage.cost_usd == null ? "–" : "$" + usage.cost_usd.toFixed(4));
  const stepsTable = (account) => {
    const none = { calls: 0, cached: 0, tokens_in: 0, tokens_out: 0, cost_usd: null };
    const line = (name, about, usage, seconds, rest) =>
      [name, about, usage.calls, usage.cached, usage.tokens_in, usage.tokens_out, money(usage), seconds == null ? "" : seconds.toFixed(2), rest];
    const lines = account.steps.map((s) =>
      line(s.name, s.sub_question || "", s.usage || none, s.seconds,
        Object.entries(s.detail).map(([name, value]) => name + ": " + say(value)).join("; ")));
    lines.push(line("in all", "", account.usage, null, ""));
    return table(["step", "for", "calls", "cached", "tokens in", "tokens out", "cost", "seconds", "what"], lines);
  };
  const listOf = (items) => el("ul", {}, items.map((item) => el("li", {}, item)));
  const accountOf = (account) => {
    const quotes = el("ol", { class: "quotes" }, account.citations.map((c) =>
      el("li", { "data-number": c.number, tabindex: "-1" }, "[" + c.number + "] “" + c.quote + "” ", el("span", { class: "soft" }, link(c.url, c.title), " " + c.date))));
    const cite = (number) => {
      quotes.querySelectorAll("li").forEach((li) => li.classList.toggle("lit", li.dataset.number === String(number)));
      const target = quotes.querySelector(".lit");
      if (target) { target.closest("details").open = true; target.scrollIntoView({ block: "center" }); target.focus(); }
    };
    const parts = [];
    if (account.question) parts.push(...section(account.question, text(account.text, cite)));
    if (account.unsupported) parts.push(el("p", { class: "warning" }, "No citation of this answer could be verified."));
    if (account.citations.length) parts.push(fold("Citations (" + account.citations.length + ")", account.citations.length <= 12, quotes));
    if (account.struck.length) parts.push(...section("Struck", listOf(account.struck)));
    if (account.notes.length) parts.push(...section("Notes", listOf(account.notes)));
    if (account.plan.length) { const plan = tree(account.plan); plan.className = "tree"; parts.push(...section("Plan", plan)); }
    if (account.chunks.length) parts.push(fold("Retrieved chunks (" + account.chunks.length + ")", true, account.chunks.map(chunk)));
    parts.push(fold("Calls, tokens, time and cost by step", false, stepsTable(account)));
    return [parts, cite];
  };
  const predictionOf = (page) => {
    const parts = [];
    const chips = Object.entries(page.values).map(([name, value]) => el("li", {}, name + " ", el("b", {}, fixed(3)(value))));
    for (const [name, why] of Object.entries(page.unscored)) if (name !== "failed") chips.push(el("li", { class: "soft" }, name + " unscored: " + why));
    parts.push(el("ul", { class: "chips" }, chips,
      el("li", { class: "soft" }, [page.seconds.toFixed(2) + " s", page.usage.calls + " calls", (page.usage.tokens_in + page.usage.tokens_out).toLocaleString("en") + " tokens", page.usage.cost_usd == null ? null : money(page.usage)].filter(Boolean).join(" · "))));
    const own = page.values[data.headline];
    if (data.note && own != null && (own < 0 || own > 1)) parts.push(el("p", { class: "note" }, data.note));
    if (page.error != null) return [...parts, el("p", { class: "warning" }, state("failed"), " " + page.error)];
    const accounts = page.accounts.map(accountOf);
    parts.push(...section("Answer", page.abstained ? state("abstained") : null, text(page.text, accounts.length === 1 ? accounts[0][1] : null)));
    const gold = Object.entries(page.parts);
    if (gold.length) parts.push(table(["step", "answer"], gold));
    if (page.missing.length) parts.push(el("p", { class: "note" }, "Missing from it: " + page.missing.map(say).join("; ")));
    if (page.steps.length) parts.push(...section("Gold steps beside its own", stepsOf(page.steps)));
    if (page.judge) {
      const { reasoning, ...rest } = page.judge;
      parts.push(...section("Judge", el("p", {}, Object.entries(rest).map(([name, value]) => name + ": " + (value == null ? "none readable" : say(value))).join("; ")),
        reasoning ? el("div", { class: "text" }, reasoning) : null));
    }
    if (page.coverage.length) {
      parts.push(...section("Coverage of sub-questions", table(["sub-question", "kind", "answer covers it", "chunks that cover it"],
        page.coverage.map((row) => [row.sub_question, row.kind, row.answered == null ? "unscored: " + row.unscored : row.answered ? "yes" : "no", row.chunks.join(", ") || "none"]))));
    }
    accounts.forEach(([made]) => parts.push(...made));
    if (page.chunks.length) parts.push(fold("Chunks (" + page.chunks.length + ")", true, page.chunks.map(chunk)));
    const rest = Object.entries(page.detail);
    if (rest.length) parts.push(fold("Details of the score", false, table(["what", "value"], rest.map(([name, value]) => [name, say(value)]))));
    return parts;
  };

  let current = null;
  let chosenRun = 0;
  let besideRun = null;
  const open = async (n) => {
    current = n;
    const q = data.questions[n];
    const page = $("page");
    const gold = await unpack("q" + n);
    if (current !== n) return;
    const panel = el("div", { id: "panel", role: "tabpanel" });
    const fill = async (run) => {
      const epochs = (q.r[run] || { e: [] }).e;
      const pages = await Promise.all(epochs.map((epoch) => unpack("p" + run + "-" + n + "-" + epoch)));
      return pages.length
        ? pages.flatMap((made) => [pages.length > 1 ? el("h2", {}, "Epoch " + (made.epoch + 1)) : null, ...predictionOf(made)]).filter(Boolean)
        : [el("p", { class: "warning" }, "This run has no prediction for this question yet.")];
    };
    const choose = async (run) => {
      chosenRun = run;
      tabs.forEach((tab, t) => { tab.setAttribute("aria-selected", t === run); tab.tabIndex = t === run ? 0 : -1; });
      const shownRuns = besideRun == null || besideRun === run ? [run] : [run, besideRun];
      const sides = await Promise.all(shownRuns.map(fill));
      if (current !== n || chosenRun !== run) return;
      panel.className = sides.length > 1 ? "sides" : "";
      panel.replaceChildren(...(sides.length > 1
        ? sides.map((side, s) => el("section", {}, el("h2", {}, data.runs[shownRuns[s]]), side)) : sides[0]));
    };
    const tabs = data.runs.map((run, r) => el("button", { type: "button", role: "tab", "aria-controls": "panel", onclick: () => choose(r) },
      run + (q.r[r] && q.r[r].v != null ? " · " + q.r[r].v.toFixed(3) : "")));
    const beside = el("select", {}, el("option", { value: "" }, "nothing"),
      data.runs.map((run, r) => el("option", { value: String(r), selected: r === besideRun }, run)));
    beside.addEventListener("change", () => { besideRun = beside.value === "" ? null : Number(beside.value); choose(chosenRun); });
    const at = shown.findIndex((row) => row.n === n);
    const step = (by, words) => {
      const next = shown[at + by];
      return next && at >= 0 ? el("a", { href: linkTo(next.n), rel: by < 0 ? "prev" : "next" }, words) : null;
    };
    const reference = gold && gold.reference;
    page.replaceChildren(
      el("nav", { class: "steps" }, el("a", { href: "#questions" }, "All questions"), step(-1, "← previous"), step(1, "next →")),
      el("h2", { tabindex: "-1" }, q.q),
      el("p", { class: "soft" }, [q.id, ...Object.entries(q.g).map(([name, value]) => name + ": " + value)].join(" · ")),
      ...(reference == null || reference === "" ? [] : section("Reference", el("div", { class: "text" }, typeof reference === "string" ? reference : JSON.stringify(reference, null, 2)))),
      ...(gold && gold.steps.length ? [fold("Gold steps (" + gold.steps.length + ")", false, table(["step", "question", "kind", "answer"],
        gold.steps.map((s) => [s.id, s.text, s.kind || "", s.answer == null ? "" : say(s.answer)])))] : []),
      el("div", { class: "runs", role: "tablist", "aria-label": "Runs" }, tabs),
      several ? el("label", { class: "beside" }, "Beside it: ", beside) : "", panel);
    $("overview").hidden = true;
    page.hidden = false;
    window.scrollTo(0, 0);
    page.querySelector("h2").focus({ preventScroll: true });
    await choose(Math.min(chosenRun, data.runs.length - 1));
  };
  const decoded = (words) => {
    try { return decodeURIComponent(words); } catch { return words; }
  };
  const route = () => {
    const match = /^#q=(.+)$/.exec(location.hash);
    const named = match ? place.get(decoded(match[1])) : undefined;
    if (named !== undefined) return open(named);
    const left = current;
    current = null;
    $("page").hidden = true;
    $("overview").hidden = false;
    if (left != null) {
      const at = rows[left].row.querySelector("a");
      at.focus({ preventScroll: true });
      at.scrollIntoView({ block: "center" });
    }
  };
  window.addEventListener("hashchange", route);

  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.getAttribute("role") === "tab" && /^Arrow(Left|Right)$/.test(event.key)) {
      const tabs = [...event.target.parentNode.children];
      const next = tabs[(tabs.indexOf(event.target) + (event.key === "ArrowRight" ? 1 : tabs.length - 1)) % tabs.length];
      next.focus();
      next.click();
    } else if (event.key === "Escape" && current != null) location.hash = "#questions";
    else if (event.key === "Escape" && event.target === $("filter")) { $("filter").value = ""; draw(); }
    else if (current != null && !typing && /^Arrow(Left|Right)$/.test(event.key)) {
      const to = $("page").querySelector(event.key === "ArrowLeft" ? "a[rel=prev]" : "a[rel=next]");
      if (to) to.click();
    } else if (current == null && event.key === "/" && !typing) { event.preventDefault(); $("filter").focus(); }
    else if (current == null && /^Arrow(Up|Down)$/.test(event.key)) {
      const on = event.target.closest && event.target.closest("#list tbody tr");
      const links = shown.map((row) => row.row.querySelector("a"));
      if (!links.length || (!on && event.target !== $("filter"))) return;
      const at = on ? links.indexOf(on.querySelector("a")) + (event.key === "ArrowDown" ? 1 : -1) : event.key === "ArrowDown" ? 0 : -1;
      event.preventDefault();
      (links[at] || $("filter")).focus();
    }
  });
  route();
})();
