// This page's only network: the server that it came from.

const TOKEN = "fanfold-token";

/** What the server refused, in its own words. */
export class Problem extends Error {
  /** `body`: a problem JSON {title, status, detail, where, mend}, or as much of one as there is. */
  constructor(body) {
    super(body.detail || body.title || "The server gave no reason.");
    this.body = body;
  }
}

/** Keep a token for this tab; it is forgotten when the tab is closed. */
export const keepToken = (token) => sessionStorage.setItem(TOKEN, token);

const headers = (more) => {
  const token = sessionStorage.getItem(TOKEN);
  return token ? { ...more, Authorization: `Bearer ${token}` } : more;
};

const send = async (path, options) => {
  let reply;
  try {
    reply = await fetch(path, { ...options, headers: headers(options.headers ?? {}) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem({ title: "No reply", detail: "The server cannot be reached.", where: path, mend: "See whether it still runs, then try again." });
  }
  if (reply.ok) return reply;
  let body = { title: reply.statusText, status: reply.status, where: path };
  try {
    body = { ...body, ...(await reply.json()) };
  } catch {
    // Something between this page and the server answered, in words that are not ours to show.
  }
  const after = reply.headers.get("Retry-After");
  if (after && !body.mend) body.mend = `Try again after ${after} s.`;
  throw new Problem(body);
};

/** Return the JSON at a path; `query`: parameters, those without a value left out. */
export const get = async (path, query = {}, signal = undefined) => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const search = given.length ? `?${new URLSearchParams(given)}` : "";
  return (await send(path + search, { signal })).json();
};

const post = (path, body, signal) =>
  send(path, { method: "POST", signal, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

/** Ask, and call `on(event, data)` for each event; resolves when the stream has ended well. */
export const ask = async (body, signal, on) => {
  const reply = await post("/v1/ask/stream", body, signal);
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let last = null;
  const feed = events((name, data) => {
    last = name;
    on(name, data);
  });
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) feed(piece.value);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    last = null;
  }
  if (last !== "answer" && last !== "error") {
    throw new Problem({ title: "Cut off", detail: "The connection ended before the answer.", where: "POST /v1/ask/stream", mend: "Ask again." });
  }
};

/** Return a function that takes pieces of a stream of server-sent events, cut anywhere. */
export const events = (on) => {
  let rest = "";
  let name = "message";
  let data = [];
  return (piece) => {
    // A carriage return at the end may be half of a line's end: it waits for what follows.
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop();
    for (const line of lines) {
      if (line === "") {
        if (data.length) on(name, JSON.parse(data.join("\n")));
        [name, data] = ["message", []];
      } else if (!line.startsWith(":")) {
        const colon = line.indexOf(":");
        const field = colon < 0 ? line : line.slice(0, colon);
        const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
        if (field === "event") name = value;
        if (field === "data") data.push(value);
      }
    }
  };
};
