// Earlier answers, kept in this browser and nowhere else: the last hundred.

const MOST = 100;
const NAME = "fanfold";
const memory = new Map();
let opened = null;

const wait = (request) =>
  new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });

const open = () => {
  opened ??= new Promise((done) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      // Heads are small and listed; runs are whole and read one at a time.
      request.result.createObjectStore("heads", { keyPath: "id" });
      request.result.createObjectStore("runs", { keyPath: "id" });
    };
    request.onsuccess = () => done(request.result);
    // A browser that keeps nothing (private windows of some) still has this page's memory.
    request.onerror = () => done(null);
  });
  return opened;
};

const head = (run) => ({
  id: run.id,
  at: run.at,
  question: run.question,
  state: run.state,
  abstained: run.answer?.abstained ?? false,
  snapshot: run.options.snapshot ?? "",
});

/** Keep a run; the oldest beyond the bound are forgotten. */
export const keep = async (run) => {
  memory.set(run.id, run);
  const base = await open();
  if (!base) return;
  try {
    const change = base.transaction(["heads", "runs"], "readwrite");
    change.objectStore("heads").put(head(run));
    change.objectStore("runs").put(run);
    await settled(change);
    const old = (await list()).slice(MOST);
    await forget(...old.map((one) => one.id));
  } catch {
    // A full disk costs the record, not the answer: it stays in memory.
  }
};

const settled = (change) =>
  new Promise((done, failed) => {
    change.oncomplete = done;
    change.onabort = () => failed(change.error);
  });

/** Return the heads of what is kept, newest first. */
export const list = async () => {
  const heads = new Map([...memory.values()].map((run) => [run.id, head(run)]));
  const base = await open();
  if (base) {
    for (const one of await wait(base.transaction("heads").objectStore("heads").getAll())) {
      if (!heads.has(one.id)) heads.set(one.id, one);
    }
  }
  return [...heads.values()].sort((a, b) => (a.at < b.at ? 1 : -1));
};

/** Return a run, or null where it is not kept. */
export const find = async (id) => {
  if (memory.has(id)) return memory.get(id);
  const base = await open();
  return base ? ((await wait(base.transaction("runs").objectStore("runs").get(id))) ?? null) : null;
};

/** Forget runs. */
export const forget = async (...ids) => {
  for (const id of ids) memory.delete(id);
  const base = await open();
  if (!base || !ids.length) return;
  const change = base.transaction(["heads", "runs"], "readwrite");
  for (const id of ids) {
    change.objectStore("heads").delete(id);
    change.objectStore("runs").delete(id);
  }
  await settled(change);
};
