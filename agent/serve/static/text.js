// Text of answers and chunks: marks, highlights, dates, numbers.

import { el } from "./dom.js";

/** Return `text[start:end]` as the server counts: in code points, not in UTF-16 units. */
export const span = (text, start, end) => [...text].slice(start, end).join("");

/** Return "1 November 2026" for "2026-11-01…"; what is no date is returned as it is. */
export const day = (stamp) => {
  const date = new Date(`${String(stamp).slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(date.getTime())
    ? String(stamp)
    : date.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
};

/** Return a snapshot's name and date, and the date that was asked for where that is another. */
export const dated = ({ name, date, asked }) =>
  `${name}, as of ${day(date)}${asked && asked !== date ? ` (asked for ${day(asked)})` : ""}`;

/** Return "1 step", "2 steps". */
export const counted = (number, thing) =>
  `${number.toLocaleString("en")} ${thing}${number === 1 ? "" : "s"}`;

/** Return [{text} or {mark: number}, …] for a text with marks such as "[3]". */
export const split = (text) =>
  text
    .split(/(\[\d{1,4}\])/)
    .filter(Boolean)
    .map((part) => (/^\[\d+\]$/.test(part) ? { mark: Number(part.slice(1, -1)) } : { text: part }));

/**
 * Return an answer's text as paragraphs, lists and headings.
 *
 * `mark`: returns the element for a mark's number, or null where nothing stands behind it: then the
 * brackets stay as they are.
 */
export const prose = (text, mark) => {
  const blocks = [];
  let list = null;
  let paragraph = null;
  for (const line of text.replaceAll("\r", "").split("\n")) {
    const item = /^\s*(?:[-*•]|(\d{1,3})[.)])\s+(.*)$/.exec(line);
    const heading = /^#{1,6}\s+(.*)$/.exec(line);
    if (item) {
      const tag = item[1] ? "ol" : "ul";
      if (list?.localName !== tag) {
        list = el(tag, item[1] ? { start: item[1] } : {});
        blocks.push(list);
      }
      list.append(el("li", {}, inline(item[2], mark)));
    } else if (heading) {
      blocks.push(el("h3", {}, inline(heading[1], mark)));
    } else if (line.trim() && paragraph) {
      paragraph.append(" ", ...inline(line, mark));
      continue;
    } else if (line.trim()) {
      paragraph = el("p", {}, inline(line, mark));
      blocks.push(paragraph);
      list = null;
      continue;
    }
    // A blank line ends a paragraph, and does not end a list: models space their items out.
    paragraph = null;
  }
  return blocks;
};

/** Return the nodes of one line: marks, and what stands between pairs of asterisks. */
export const inline = (line, mark) =>
  line.split(/(\*\*[^*]+\*\*)/).filter(Boolean).flatMap((part) => {
    const strong = /^\*\*(.+)\*\*$/.exec(part);
    const nodes = split(strong ? strong[1] : part).map((piece) =>
      piece.mark === undefined ? piece.text : (mark(piece.mark) ?? `[${piece.mark}]`));
    return strong ? [el("strong", {}, nodes)] : nodes;
  });

const same = (text) => text.replace(/\s+/g, " ").trim();

/**
 * Return what a step found without its marks and without quotes that are shown beside it.
 *
 * The extractive engine writes `82,100 km² (“Area: 82,100 km²”) [2]`: where that quote is one of
 * the step's own, saying it twice helps nobody.
 */
export const value = (text, quotes) => {
  const known = new Set(quotes.map(same));
  return same(
    text
      .replace(/\s*\(“([^”]*)”\)/g, (whole, quote) => (known.has(same(quote)) ? "" : whole))
      .replace(/\s*\[\d{1,4}\]/g, ""),
  );
};

/**
 * Return a chunk's text with a part of it highlighted.
 *
 * `start`, `end`: offsets in code points within `text`; where they do not hold exactly `quote`,
 * the first place that does is taken, and where there is none nothing is highlighted.
 */
export const highlighted = (text, start, end, quote) => {
  let [from, to] = [start, end];
  if (quote && span(text, from, to) !== quote) {
    const at = text.indexOf(quote);
    if (at < 0) return headed(text);
    from = [...text.slice(0, at)].length;
    to = from + [...quote].length;
  }
  if (!(from >= 0 && to > from)) return headed(text);
  return [...headed(span(text, 0, from)), el("mark", {}, headed(span(text, from, to))), ...headed(span(text, to))];
};

const HEADING = /^#{2,6} (.+)$/m;

/** Return a stretch of an article with its heading lines ("## Rings") set as headings. */
export const headed = (text) =>
  text.split(/^(#{2,6} .+)$/m).filter(Boolean).map((part) => {
    const title = HEADING.exec(part)?.[1];
    return title ? el("span", { class: "heading" }, title) : part;
  });

/** Return a chunk's words in one line, without headings, for a list of hits. */
export const extract = (text) =>
  text.replace(/^#{2,6} .+$/gm, "").trim().replace(/\s*\n\s*/g, " · ");

/** Return lines that say the same of several marks as one: "sub-question 3.1 [1] and 14 more: …". */
export const folded = (lines) => {
  const groups = new Map();
  for (const line of lines) {
    const [, about, mark, reason] = /^([^[“]*)(\[\d+\]|“[^”]*”)(: [^]*)$/.exec(line) ?? [null, line, "", ""];
    const key = `${about}\n${reason}`;
    groups.set(key, [...(groups.get(key) ?? []), { about, mark, reason }]);
  }
  return [...groups.values()].map(([{ about, mark, reason }, ...others]) =>
    about + mark + (mark && others.length ? ` and ${others.length} more` : "") + reason);
};
