// An answer as a file: Markdown to read and to pass on, JSON to work with.

import { byNumber, tree } from "./run.js";
import { dated, day, folded, value } from "./text.js";

const WORDS = {
  answered: "answered",
  unsure: "unsure",
  not_found: "not found",
  failed: "failed",
  not_asked: "not asked",
  stopped: "stopped",
  waiting: "not asked",
  running: "not asked",
};

/**
 * Return text in which nothing is markup to a Markdown reader.
 *
 * Titles, quotes and questions are data: a title such as `](javascript:…)` must not become a link.
 */
export const plain = (text) =>
  String(text ?? "")
    .replace(/\s+/g, " ")
    .replace(/[\\`*_[\]<>&|~$]/g, "\\$&")
    .replace(/^(?:[#+-]|\d+[.)])(?=\s|$)/, (found) => `${found.slice(0, -1)}\\${found.slice(-1)}`)
    .trim();

const address = (url) => {
  const parsed = URL.canParse(url ?? "") ? new URL(url) : null;
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return "";
  // Brackets are legal in an address and end a link in Markdown.
  return parsed.href.replace(/[()]/g, (bracket) => (bracket === "(" ? "%28" : "%29"));
};

const lines = (text, cited) =>
  text.split("\n").map((line) => {
    const item = /^(\s*[-*•]\s+)(.*)$/.exec(line);
    const body = (item ? item[2] : line)
      .split(/(\[\d{1,4}\])/)
      .map((part) => {
        const number = /^\[(\d+)\]$/.exec(part)?.[1];
        return number && cited.has(Number(number)) ? `[^${number}]` : spaced(part);
      })
      .join("");
    return (item ? "- " : "") + body;
  });

// `plain` trims; what stands between two marks keeps its spaces.
const spaced = (part) => {
  const [, before, words, after] = /^(\s*)([^]*?)(\s*)$/.exec(part);
  return (before && " ") + plain(words) + (after && " ");
};

/** Return a run as Markdown, with a footnote for each citation. */
export const toMarkdown = (run) => {
  const { answer } = run;
  const citations = answer?.citations ?? [];
  const out = [`# ${plain(run.question)}`, ""];
  if (answer) {
    out.push(...lines(answer.answer, byNumber(citations)), "");
    if (answer.unsupported) out.push("Unsupported: no citation of this answer could be verified.", "");
    if (answer.passages.length) {
      out.push("Nearest passages, which prove nothing by themselves:", "");
      for (const passage of answer.passages) out.push(`- ${source(passage)}`);
      out.push("");
    }
  } else {
    out.push(run.problem ? `Failed: ${plain(run.problem.detail || run.problem.title)}` : "Stopped before the answer.", "");
  }
  const steps = branch(tree(run), 0, answer !== null);
  if (steps.length) out.push("## Sub-questions", "", ...steps, "");
  for (const [title, items] of [["Struck out", folded(answer?.struck ?? [])], ["Without a mark", answer?.uncited_sentences], ["Notes", answer?.notes], ["To ask next", answer?.suggestions]]) {
    if (items?.length) out.push(`## ${title}`, "", ...items.map((item) => `- ${plain(item)}`), "");
  }
  if (answer) {
    const { snapshot } = answer;
    out.push("---", "", `${plain(dated(snapshot))}; ${plain(answer.strategy)}, ${plain(answer.setting)}, ${plain(answer.model)}; asked on ${day(run.at)} with fanfold.`, "");
  }
  for (const citation of citations) out.push(`[^${citation.number}]: ${source(citation)}`);
  return `${out.join("\n").trimEnd()}\n`;
};

const branch = (nodes, depth, marks) =>
  nodes.flatMap((node) => {
    const quotes = node.citations.map((one) => one.quote);
    const numbers = marks ? node.citations.map((one) => `[^${one.number}]`).join("") : "";
    const found = node.answer ? ` ${plain(value(node.answer, quotes))}${numbers && ` ${numbers}`}` : "";
    const why = node.error ? ` (${plain(node.error)})` : "";
    const told = node.status === "group" ? "" : ` — *${WORDS[node.status] ?? ""}*${why}${found && `:${found}`}`;
    return [`${"  ".repeat(depth)}- ${plain(node.id)}: ${plain(node.text)}${told}`, ...branch(node.children, depth + 1, marks)];
  });

const source = (citation) => {
  const url = address(citation.url);
  const title = url ? `[${plain(citation.title)}](${url})` : plain(citation.title);
  const unsure = citation.support === "unsure" ? " (unsure)" : "";
  return `“${plain(citation.quote)}” ${title}, revision ${plain(citation.rev_id)} of ${plain(day(citation.timestamp))}${unsure}`;
};

/** Return a run as JSON: the server's own reply; where there is none, what was found. */
export const toJson = (run) => {
  const { answer, id, ...partial } = run;
  return `${JSON.stringify(answer ?? partial, null, 2)}\n`;
};

/** Hand the browser a file to save. */
export const save = (name, type, text) => {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};

/** Return a file's name for a run, in letters and digits of any script. */
export const fileName = (run, ending) => {
  const words = run.question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["answer"];
  return `${words.join("-").slice(0, 60).replace(/-$/, "")}.${ending}`;
};
