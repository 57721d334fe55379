/*
 * Reads the rubric of a plan and its review item by item. Policies write both as text, each in its
 * own way; what cannot be read as items is shown as it stands.
 */
import { h, sign } from "./dom.js";

const ITEM = /^\s*(?:[-*•–]|\(?(\d{1,3})[.)])\s+(.*)$/;
const WEIGHT = /^\((?:weight\s*)?([1-3])\)\s*/i;
const HEADING = /^\s*(?:#+\s*)?(.{2,80}?):\s*$/;
const SNIPPET = /\bS_\d+\b/g;

const VERDICTS = [
  ["open", /\b(not|un)[\s-]*(yet\s+)?(met|satisfied|covered|fulfilled|addressed|found)\b|\b(missing|violated|nicht\s+erf(ü|ue)llt)\b|✗|❌/i],
  ["partly", /\b(partly|partial|partially|teilweise)\b|◐|≈/i],
  ["met", /\b(met|satisfied|covered|fulfilled|addressed|kept|avoided|erf(ü|ue)llt)\b|✓|✔|✅/i],
];

const NAMES = { met: "Met", partly: "Partly met", open: "Not met", unknown: "Not judged" };
const SIGNS = { met: "check", partly: "half", open: "cross", unknown: "dash" };

function items(text) {
  const found = [];
  let section = "";
  let last = null;
  for (const line of text.split("\n")) {
    const item = ITEM.exec(line);
    const heading = HEADING.exec(line);
    if (item) {
      const weight = WEIGHT.exec(item[2]);
      last = {
        section, number: item[1] ?? "", weight: Number(weight?.[1] ?? 0),
        text: weight ? item[2].slice(weight[0].length) : item[2],
      };
      found.push(last);
    } else if (heading) {
      section = heading[1];
      last = null;
    } else if (/^\s+\S/.test(line) && last) {
      last.text += ` ${line.trim()}`;
    } else if (line.trim() !== "") {
      last = null;
      found.push({ section, loose: true, text: line.trim() });
    }
  }
  return found;
}

/** Splits "criterion — met by S_1, S_2" into the criterion and what the review says of it. */
function judged(text) {
  const cut = [" — ", " – ", " → ", " - ", ": "]
    .map((mark) => text.lastIndexOf(mark))
    .filter((at) => at > 0 && verdict(text.slice(at)) !== "unknown");
  const at = cut.length > 0 ? Math.max(...cut) : -1;
  return at < 0 ? { criterion: text, said: text }
    : { criterion: text.slice(0, at), said: text.slice(at).replace(/^[\s—–→:-]+/, "") };
}

/** The word that comes first judges; what follows explains ("kept: nothing is missing"). */
function verdict(text) {
  const said = VERDICTS
    .map(([name, pattern]) => ({ name, at: text.search(pattern) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)[0];
  return said?.name ?? "unknown";
}

function words(text) {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

function likeness(a, b) {
  const one = words(a);
  const two = words(b);
  const both = [...one].filter((word) => two.has(word)).length;
  return both / Math.max(1, Math.min(one.size, two.size));
}

/** Half of the words of the shorter text: less is another criterion. */
const ALIKE = 0.5;

/**
 * @returns items of the rubric, each with verdict, evidence and the review's words, then what the
 *     review judged beyond them; null where the rubric has no items
 */
export function readRubric(rubric, review) {
  const criteria = items(rubric).filter((item) => !item.loose);
  const said = review ? items(review) : [];
  if (criteria.length === 0) {
    return null;
  }
  const judgments = said.filter((item) => !item.loose)
    .map((item) => ({ ...item, ...judged(item.text), used: false }));
  const read = criteria.map((item) => {
    const best = judgments.filter((j) => !j.used)
      .map((j) => ({ j, like: likeness(item.text, j.criterion) + (item.number && j.number === item.number ? 0.1 : 0) }))
      .sort((a, b) => b.like - a.like)[0];
    const found = best && best.like >= ALIKE ? best.j : null;
    if (found) {
      found.used = true;
    }
    return line(item, found);
  });
  const beyond = judgments.filter((j) => !j.used)
    .map((j) => line({ section: "Also reviewed", weight: j.weight, text: j.criterion }, j));
  const notes = said.filter((item) => item.loose).map((item) => item.text);
  return { lines: [...read, ...beyond], notes, reviewed: judgments.length > 0 };
}

function line(item, judgment) {
  return {
    section: item.section, weight: item.weight, text: item.text,
    verdict: judgment ? verdict(judgment.said) : "unknown",
    evidence: judgment ? [...new Set(judgment.said.match(SNIPPET) ?? [])] : [],
    said: judgment && judgment.said !== item.text ? judgment.said : "",
  };
}

/** @param link makes the link that opens a passage */
export function rubricPart(episode, ended, link) {
  const rubric = episode.plan?.rubric;
  const review = episode.review?.rubric_review ?? "";
  if (!rubric && !review) {
    return h("section.rubric", { "aria-labelledby": "rubric" },
      h("h2", { id: "rubric" }, "Rubric"),
      h("p.soft", {}, ended ? "No rubric was written." : "It is being written: what the answer must hold."));
  }
  const read = readRubric(rubric ?? "", review);
  return h("section.rubric", { "aria-labelledby": "rubric" },
    h("h2", { id: "rubric", tabindex: "-1" }, "Rubric", read?.reviewed && h("span.tally", {}, tally(read.lines))),
    read ? lines(read, ended, link) : [
      rubric && h("div.plain", { dir: "auto" }, rubric),
      review && [h("h3", {}, "Review"), h("div.plain", { dir: "auto" }, review)],
    ]);
}

/** For example "2 of 4 met"; empty where nothing was reviewed. */
export function rubricTally(episode) {
  const read = readRubric(episode.plan?.rubric ?? "", episode.review?.rubric_review ?? "");
  return read?.reviewed ? tally(read.lines) : "";
}

function tally(all) {
  const judgedLines = all.filter((l) => l.verdict !== "unknown");
  const met = judgedLines.filter((l) => l.verdict === "met").length;
  return judgedLines.length > 0 ? `${met} of ${judgedLines.length} met` : "not judged";
}

function lines(read, ended, link) {
  const out = [];
  let section = null;
  let list = null;
  for (const item of read.lines) {
    if (item.section !== section) {
      section = item.section;
      list = h("ul.criteria");
      out.push(section && h("h3", {}, section.replace(/\s*\(weight 1 to 3\)/, "")), list);
    }
    list ??= h("ul.criteria");
    list.append(criterion(item, ended, link));
  }
  return [out, read.notes.map((note) => h("p.soft", { dir: "auto" }, note))];
}

function criterion(item, ended, link) {
  const waiting = item.verdict === "unknown" && !ended;
  const name = waiting ? "Open" : NAMES[item.verdict];
  return h("li", { "data-verdict": waiting ? "waiting" : item.verdict, dir: "auto" },
    sign(SIGNS[item.verdict]),
    h("div", {},
      h("p.criterion", {}, item.text),
      h("p.verdict", {}, h("span.verdict-name", {}, name),
        item.weight > 0 && h("span.weight", {}, `weight ${item.weight}`),
        item.evidence.length > 0 && h("span.evidence", {},
          h("span.unseen", {}, "by passages "), item.evidence.map(link)))));
}
