// A problem in the server's words: what, where, how to mend.

import { el } from "./dom.js";

/** Return a notice for a problem JSON, or for as much of one as there is. */
export const problem = (body) =>
  el("div", { class: "notice bad" },
    el("h2", {}, body.title || "It failed"),
    el("p", {}, body.detail || ""),
    body.mend ? el("p", { class: "mend" }, body.mend) : null,
    body.where || body.request_id ? el("p", { class: "soft small" }, [body.where, body.request_id && `request ${body.request_id}`].filter(Boolean).join(" · ")) : null);
