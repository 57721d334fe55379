/*
 * The report. Its answer comes as HTML that our server wrote; it is built again here from a short
 * list of elements, so that even a fault there could not bring in script. The rest is built from JSON.
 */
import { h, sign } from "./dom.js";
import { STATES, count } from "./words.js";

const ELEMENTS = new Set([
  "p", "ul", "ol", "li", "h2", "h3", "h4", "h5", "h6", "strong", "em", "code", "pre", "blockquote",
  "table", "thead", "tbody", "tr", "th", "td", "br", "hr", "span", "div", "bdi", "del", "sup", "sub", "a",
]);
const SWALLOWED = new Set(["script", "style", "template", "iframe", "object", "embed", "svg", "math"]);
const IDS = /^part-\d+$/;

/** @param atMark makes what stands in the place of the n-th mark of a citation */
function rebuilt(node, atMark) {
  if (node.nodeType === Node.TEXT_NODE) {
    return document.createTextNode(node.data);
  }
  if (node.nodeType !== Node.ELEMENT_NODE || SWALLOWED.has(node.localName)) {
    return null;
  }
  const children = () => [...node.childNodes].map((child) => rebuilt(child, atMark)).filter(Boolean);
  if (!ELEMENTS.has(node.localName)) {
    return h("span", {}, children());
  }
  if (node.localName === "a") {
    return node.classList.contains("mark")
      ? atMark(Number(node.textContent.replace(/\D/g, "")))
      : outside(node.getAttribute("href") ?? "", children());
  }
  const attributes = {};
  if (["ltr", "rtl", "auto"].includes(node.getAttribute("dir"))) {
    attributes.dir = node.getAttribute("dir");
  }
  if (IDS.test(node.id)) {
    attributes.id = node.id;
    attributes.tabindex = "-1";
  }
  if (["left", "right", "center"].includes(node.getAttribute("align"))) {
    attributes["data-align"] = node.getAttribute("align");
  }
  if (node.localName === "ol" && /^\d{1,9}$/.test(node.getAttribute("start") ?? "")) {
    attributes.start = node.getAttribute("start");
  }
  const kept = ["marks", "plain", "wide"].filter((name) => node.classList.contains(name));
  if (kept.includes("wide")) {
    attributes.tabindex = "0";
    attributes.role = "region";
    attributes["aria-label"] = "Table";
  }
  return h([node.localName, ...kept].join("."), attributes, children());
}

/** A link that leaves this page; anything but the web is shown as text. */
export function outside(url, children) {
  return /^https?:\/\//i.test(url)
    ? h("a", { href: url, target: "_blank", rel: "noopener noreferrer nofollow" }, children)
    : h("span", {}, children);
}

/** What a report's HTML holds: its article and headings, its places and what was not found. */
export function readReport(html, episode) {
  // its head holds the style of the page by itself, which has no place here
  const page = new DOMParser().parseFromString(
    html.replace(/<head>[\s\S]*?<\/head>/, ""), "text/html");
  const article = page.querySelector("article");
  let at = 0;
  const atMark = (number) => {
    const index = episode.citations[at]?.number === number
      ? at : episode.citations.findIndex((c) => c.number === number);
    at++;
    return index < 0 ? document.createTextNode(`[${number}]`) : mark(episode, index);
  };
  const list = (name) => [...page.querySelectorAll(`section.${name} li`)].map((li) => li.textContent.trim());
  const language = page.documentElement.lang || "en";
  const direction = page.documentElement.dir === "rtl" ? "rtl" : "ltr";
  const said = (place) => {
    const text = page.querySelector(place)?.textContent.trim();
    return text ? { text, lang: language, dir: direction } : null;
  };
  return {
    language,
    direction,
    article: article ? [...article.childNodes].map((n) => rebuilt(n, atMark)).filter(Boolean) : [],
    headings: article ? [...article.querySelectorAll("h2[id], h3[id]")]
      .filter((heading) => IDS.test(heading.id))
      .map((heading) => ({ id: heading.id, text: heading.textContent.replace(/\u2060|\[\d+\]/g, "").trim() })) : [],
    places: new Map([...page.querySelectorAll(".reference")].map((reference) => [
      Number(reference.id.replace(/\D/g, "")), reference.querySelector(".place")?.textContent.trim() ?? ""])),
    notFound: list("not-found"),
    words: {
      contents: said("nav > h2"),
      references: said("section.references > h2"), notFound: said("section.not-found > h2"),
      searched: said("section.searched > h2"), documents: said("section.searched > p"),
      unreadable: list("searched").slice(0, episode.searched.unreadable.length),
    },
  };
}

export function sourcePath(id, snippet, claim = null) {
  const path = `/research/${id}/source/${encodeURIComponent(snippet)}`;
  return claim === null ? path : `${path}?claim=${claim + 1}`;
}

/** The number behind a claim: opens the passage, and shows how far it carries the claim. */
function mark(episode, index) {
  const citation = episode.citations[index];
  const state = STATES[citation.state] ?? STATES.unchecked;
  return h("a.cite", {
    href: sourcePath(episode.id, citation.snippet_id, index), "data-link": true,
    "data-state": citation.state, "data-claim": index,
    "aria-label": `Citation ${citation.number}, ${state.name.toLowerCase()}: ${citation.title}`,
    title: `${state.name} · ${citation.title}`,
  }, citation.number, citation.state !== "supported" && sign(state.sign));
}

/** How far the citations were checked. Green only where every one was, and holds. */
export function checkBadge(check) {
  if (check.cited === 0) {
    return h("span.badge", { "data-kind": "unchecked" }, sign("question"), "Nothing is cited");
  }
  const all = check.checked === check.cited;
  const kind = all && check.supported === check.cited ? "supported" : all ? "weak" : "unchecked";
  return h("span.badge", { "data-kind": kind }, sign(STATES[kind].sign),
    `${check.supported} of ${count(check.cited, "citation")} supported`,
    !all && `, ${check.checked} checked`);
}

export function legend(check) {
  return check.cited > check.supported && h("p.legend", {},
    Object.values(STATES).map((state) =>
      h("span", {}, sign(state.sign), h("strong", {}, state.name), " ", state.about)));
}

export function contents({ headings, words }) {
  return headings.length >= 3 && h("nav.contents", { "aria-label": "Contents" },
    own("h2", {}, words.contents, "Contents"),
    h("ol", {}, headings.map((heading) =>
      h("li", {}, h("a", { href: `#${heading.id}`, dir: "auto" }, heading.text)))));
}

/** Pixels from the top of the window: a heading that has come this far is being read. */
const READ_FROM = 120;

/** Which part is being read, told in the contents beside it. @returns what undoes it */
export function followReading(root) {
  const links = [...root.querySelectorAll(".contents a")];
  const parts = [...root.querySelectorAll(".report [id^=part-]")];
  if (links.length === 0) {
    return () => {};
  }
  const look = () => {
    const at = parts.findLast((part) => part.getBoundingClientRect().top < READ_FROM);
    for (const link of links) {
      const here = at !== undefined && link.hash === `#${at.id}`;
      if (here !== link.hasAttribute("aria-current")) {
        here ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current");
      }
    }
  };
  look();
  addEventListener("scroll", look, { passive: true });
  return () => removeEventListener("scroll", look);
}

/** @returns the uses of each number, in the order of the numbers */
function byNumbers(episode) {
  const byNumber = new Map();
  episode.citations.forEach((citation, index) => {
    byNumber.set(citation.number, [...(byNumber.get(citation.number) ?? []), { citation, index }]);
  });
  return [...byNumber.entries()].sort(([a], [b]) => a - b);
}

const CARDS = 4;

/**
 * What the report stands on, before it is read: the first few sources, each one step from its text.
 *
 * @param dir that of the report
 */
export function citedSources(episode, dir) {
  const all = byNumbers(episode);
  const shown = all.length > CARDS ? all.slice(0, CARDS - 1) : all;
  return all.length > 0 && h("nav.cited", { "aria-label": "Sources of this report" },
    h("ul.cited-sources", { dir }, shown.map(([number, [{ citation }]]) => h("li", {},
      h("a.source-card", { href: sourcePath(episode.id, citation.snippet_id), "data-link": true },
        h("span.source-title", { dir: "auto" }, citation.title),
        h("span.source-place", {}, h("span.chip", {}, number),
          h("bdi", {}, host(citation.url) || citation.document))))),
    all.length > shown.length && h("li", {},
      h("a.source-card.rest", { href: "#references" }, `${all.length - shown.length} more`))));
}

function host(url) {
  return /^https?:/i.test(url) ? new URL(url).hostname.replace(/^www\./, "") : "";
}

/** The same sentence in the same state is shown once, however many claims rest on it. */
function distinct(uses) {
  const kept = new Map();
  for (const use of uses) {
    const key = `${use.citation.state} ${use.citation.quote}`;
    kept.set(key, kept.get(key) ?? use);
  }
  return [...kept.values()];
}

/** What the report says in its own language; @param fallback where there is no report */
function own(element, attributes, words, fallback) {
  return words
    ? h(element, { ...attributes, lang: words.lang, dir: words.dir }, words.text)
    : h(element, attributes, fallback);
}

export function references(episode, places, words = null) {
  const numbers = byNumbers(episode);
  return numbers.length > 0 && h("section.references", { "aria-labelledby": "references" },
    own("h2", { id: "references", tabindex: "-1" }, words, "References"),
    h("ol", { dir: words?.dir }, numbers.map(([number, uses]) => {
      const { citation } = uses[0];
      return h("li", { id: `ref-${number}` },
        h("span.ref-number", {}, number),
        h("p.ref-title", { dir: "auto" },
          h("a", { href: sourcePath(episode.id, citation.snippet_id), "data-link": true }, citation.title)),
        h("p.ref-place", {}, h("bdi", {}, places.get(number) || citation.document),
          /^https?:/i.test(citation.url) && [" ", outside(citation.url, [sign("out"), "Open the source"])]),
        h("ul.uses", {}, distinct(uses).map(({ citation: use, index }) => {
          const state = STATES[use.state] ?? STATES.unchecked;
          return h("li", { "data-state": use.state }, sign(state.sign),
            h("div", {},
              use.quote && h("p.quote", { dir: "auto" }, `“${use.quote}”`),
              h("p.use-facts", {}, h("span", { dir: "ltr" }, state.name, " · ",
                h("a", { href: sourcePath(episode.id, use.snippet_id, index), "data-link": true }, "Show in the passage")))));
        })));
    })));
}

/**
 * @param searched of an episode or of its newest search
 * @param words what the report says of it
 */
export function searched({ documents, documents_total: total, unreadable }, words = null) {
  return total > 0 && h("section.searched", { "aria-labelledby": "searched" },
    own("h2", { id: "searched" }, words?.searched, "What was searched"),
    words?.documents ? own("p", {}, words.documents) : h("p", {}, documents === 0 ? `Nothing; ${count(total, "document")} could have been`
      : `${documents.toLocaleString("en")} of ${count(total, "document")}`,
      unreadable.length > 0 ? `; ${unreadable.length} could not be read:` : "."),
    unreadable.length > 0 && h("ul.unreadable", {},
      (words?.unreadable ?? unreadable).map((line) => h("li", { dir: words?.searched?.dir ?? "auto" }, sign("warn"), h("span", {}, line)))));
}

export function notFound(list, words = null) {
  return list.length > 0 && h("section.not-found", { "aria-labelledby": "not-found" },
    own("h2", { id: "not-found" }, words, "What was not found"),
    h("ul", {}, list.map((item) => h("li", { dir: "auto" }, item))));
}
