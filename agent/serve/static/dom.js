// Elements from data. Strings become text nodes and nothing else: no markup of an article, a model
// or a question is ever parsed (the server's content policy forbids it as well).

const SVG = "http://www.w3.org/2000/svg";

/** Return the element with this id. */
export const $ = (id) => document.getElementById(id);

/**
 * Return a new element.
 *
 * `attributes`: null and false are left out, true is an empty attribute, `on…` functions listen,
 * `data` is a dataset. `children`: elements, strings, nested lists; null and false are left out.
 */
export const el = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(made.dataset, value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...flat(children));
  return made;
};

const flat = (children) =>
  children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);

/** Put children in the place of all that an element holds. */
export const fill = (element, ...children) => element.replaceChildren(...flat(children));

/** Return one of the symbols drawn in the page, hidden from screen readers. */
export const symbol = (name) => {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "symbol");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${name}`);
  svg.append(use);
  return svg;
};

/** Return words that only a screen reader says. */
export const unseen = (text) => el("span", { class: "unseen" }, text);

/** Return a link; only web addresses become one, since addresses come from snapshots. */
export const link = (url, text) =>
  /^https?:\/\//i.test(url || "")
    ? el("a", { href: url, rel: "noreferrer noopener", target: "_blank" }, text)
    : el("span", {}, text);

let waiting = null;
let said = "";

/** Let screen readers say something, at most once in a second and a half; the last one counts. */
export const announce = (text) => {
  said = text;
  waiting ??= setTimeout(() => {
    waiting = null;
    $("live").textContent = said;
  }, 1500);
};
