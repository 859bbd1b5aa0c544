// Asking for a token, where the server wants one.

import { keepToken } from "./api.js";
import { $, el } from "./dom.js";

/** Show the dialog; `then` is called once a token was given. */
export const askToken = (then) => {
  if (!$("token")) document.body.append(made());
  $("token-form").onsubmit = (event) => {
    event.preventDefault();
    keepToken($("token-value").value.trim());
    $("token-value").value = "";
    $("token").close();
    void then();
  };
  if (!$("token").open) $("token").showModal();
};

const made = () =>
  el("dialog", { id: "token", "aria-labelledby": "token-title" },
    el("form", { class: "sheet", id: "token-form" },
      el("h2", { id: "token-title" }, "This server asks for a token"),
      el("p", { class: "soft" }, "It is kept for this tab only. Who runs the server hands tokens out."),
      el("label", { for: "token-value" }, "Token"),
      el("input", { id: "token-value", type: "password", autocomplete: "off", required: true }),
      el("div", { class: "row" }, el("span"), el("button", { class: "primary", type: "submit" }, "Go on"))));
