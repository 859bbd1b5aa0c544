// One question and what is known of it so far. Plain data, so that it can be kept and drawn again.
//
// A run: {id, at, question, options, state, phase, changes, plan, found, answer, problem}
//   state   running | done | stopped | failed
//   plan    [{id, text, kind, depends_on}], filled steps ("2.1") besides those they replaced ("2")
//   found   by id: {status, answer, error, citations}; status "running" while it is worked on
//   answer  the whole reply, once there is one; problem: what went wrong instead

/** Return a run that has just begun. */
export const begin = (question, options) => ({
  id: newId(),
  at: new Date().toISOString(),
  question,
  options,
  state: "running",
  phase: "planning",
  changes: [],
  plan: [],
  found: {},
  answer: null,
  problem: null,
});

const newId = () =>
  [...crypto.getRandomValues(new Uint8Array(6))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Take one event of the server's stream into the run. */
export const take = (run, name, data) => {
  const change = TAKEN[name];
  if (change) change(run, data);
};

const TAKEN = {
  queued: (run, data) => {
    run.phase = "queued";
    run.ahead = data.ahead;
  },
  begun: (run) => {
    run.phase = "planning";
  },
  plan: (run, data) => {
    run.plan = data.sub_questions.map(step);
    run.changes = data.changes ?? [];
  },
  plan_grown: (run, data) => grow(run, data.sub_questions),
  searching: (run) => {
    run.phase = "searching";
  },
  step_started: (run, data) => {
    run.phase = "answering";
    grow(run, [data.sub_question]);
    run.found[data.sub_question.id] = { status: "running", answer: null, error: null, citations: [] };
  },
  step_ended: (run, data) => {
    grow(run, [data.sub_question]);
    const { status, answer, error, citations } = data;
    run.found[data.sub_question.id] = { status, answer, error, citations: citations ?? [] };
  },
  composing: (run) => {
    run.phase = "writing";
  },
  answer: (run, data) => {
    run.answer = data;
    run.state = "done";
    grow(run, data.sub_questions);
    const cited = byNumber(data.citations);
    for (const { id, status, answer, error, citations } of data.sub_questions) {
      // From here on the numbers are those of the answer's text.
      run.found[id] = { status, answer, error, citations: citations.map((n) => cited.get(n)).filter(Boolean) };
    }
  },
  error: (run, data) => {
    run.problem = data;
    run.state = "failed";
  },
};

const step = ({ id, text, kind, depends_on }) => ({ id, text, kind, depends_on: depends_on ?? [] });

/** Take steps into the plan; one that is there already is replaced. */
const grow = (run, steps) => {
  for (const one of steps) {
    const at = run.plan.findIndex((known) => known.id === one.id);
    if (at >= 0) run.plan[at] = step(one);
    else run.plan.push(step(one));
  }
};

/** Return a map from a citation's number to the citation. */
export const byNumber = (citations) => new Map(citations.map((citation) => [citation.number, citation]));

const parent = (id) => id.slice(0, Math.max(0, id.lastIndexOf(".")));

/**
 * Return the plan as a tree of {…step, status, answer, error, citations, needs, children}.
 *
 * A step that was filled with what others found holds the steps it became. Follow-ups are no part
 * of it: they are offered, not asked.
 */
export const tree = (run) => {
  const nodes = new Map();
  for (const one of run.plan) {
    if (one.kind === "follow_up") continue;
    const found = run.found[one.id] ?? { status: ended(run), answer: null, error: null, citations: [] };
    nodes.set(one.id, { ...one, ...found, children: [] });
  }
  const roots = [];
  for (const node of nodes.values()) (nodes.get(parent(node.id))?.children ?? roots).push(node);
  for (const node of nodes.values()) {
    if (node.children.length && !run.found[node.id]) node.status = "group";
    node.needs = node.depends_on.filter((id) => !["answered", "unsure"].includes(nodes.get(id)?.status));
    if (node.status === "running" && run.state !== "running") node.status = "stopped";
  }
  return roots;
};

const ended = (run) => (run.state === "running" ? "waiting" : run.state === "done" ? "not_asked" : "stopped");

/** Return how many steps there are of each status, those that became others left out. */
export const tally = (run) => {
  const counts = {};
  const count = (node) => {
    if (node.status !== "group") counts[node.status] = (counts[node.status] ?? 0) + 1;
    node.children.forEach(count);
  };
  tree(run).forEach(count);
  return counts;
};
