/* What was asked before: searched, filtered, page by page. */
import { h, replace, sign, say } from "./dom.js";
import * as api from "./api.js";
import { STATUSES, ago, count, day, length, moment, title } from "./words.js";
import { refusalTrouble } from "./trouble.js";

const TYPING_MILLIS = 250;
const LOOK_AGAIN_MILLIS = 5_000;
const TEXT_MAX = 200;

/** Whoever asks for more looks far back: more at a time. */
const MORE = 100;

const SIGNS = { queued: "clock", running: "clock", completed: "check", failed: "warn", cancelled: "stop" };
const OUTCOMES = { no_evidence: "Nothing found", limit_reached: "Limit reached" };
const OUTCOME_SIGNS = { no_evidence: "search", limit_reached: "flag" };

export function badge(episode) {
  const word = OUTCOMES[episode.outcome] ?? STATUSES[episode.status];
  const kind = OUTCOMES[episode.outcome] ? episode.outcome : episode.status;
  return h("span.badge", { "data-kind": kind },
    sign(OUTCOME_SIGNS[episode.outcome] ?? SIGNS[episode.status]), word);
}

/** The text with what was searched for marked. */
function marked(text, needle) {
  const at = needle ? text.toLowerCase().indexOf(needle.toLowerCase()) : -1;
  return at < 0 ? text
    : [text.slice(0, at), h("mark", {}, text.slice(at, at + needle.length)), text.slice(at + needle.length)];
}

/** @param needle what was searched for, or nothing */
export function row(episode, needle = "") {
  const took = episode.ended_at
    ? length(Date.parse(episode.ended_at) - Date.parse(episode.created_at)) : "";
  return h("li", {},
    h("a.row-link", { href: `/research/${episode.id}`, "data-link": true },
      h("span.row-question", { dir: "auto" }, marked(title(episode.question), needle.trim())),
      h("span.row-facts", {}, badge(episode),
        h("time", { datetime: episode.created_at, title: moment(episode.created_at) }, ago(episode.created_at)),
        took && h("span", {}, took))));
}

/** Newest first, as they come, parted at midnight. */
function byDay(episodes) {
  const days = new Map();
  for (const episode of episodes) {
    const name = day(episode.created_at);
    days.has(name) ? days.get(name).push(episode) : days.set(name, [episode]);
  }
  return [...days];
}

export function historyView(place, query, frame) {
  let gone = false;
  let typing = 0;
  let timer = 0;
  let asked = 0;
  let pages = [];
  const wanted = { q: query.get("q") ?? "", status: query.get("status") ?? "" };
  frame.title("History");
  const search = h("input", {
    type: "search", id: "q", value: wanted.q, maxlength: TEXT_MAX, placeholder: "Search questions",
    oninput: () => {
      clearTimeout(typing);
      typing = setTimeout(change, TYPING_MILLIS);
    },
  });
  const status = h("select", { id: "status", onchange: () => change() },
    h("option", { value: "" }, "Any state"),
    Object.entries(STATUSES).map(([value, name]) => h("option", { value }, name)));
  status.value = wanted.status;
  const results = h("div.results");
  place.append(
    h("div.narrow", {},
      h("h1", {}, "History"),
      h("form.search", { role: "search", onsubmit: (e) => e.preventDefault() },
        h("label.unseen", { for: "q" }, "Search questions"), search,
        h("label.unseen", { for: "status" }, "State"), status),
      results));

  /** Both fields at once: a word that is still being typed counts when the state is chosen. */
  function change() {
    clearTimeout(typing);
    Object.assign(wanted, { q: search.value, status: status.value });
    const next = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value));
    const text = next.toString();
    history.replaceState({}, "", `/research/history${text ? `?${text}` : ""}`);
    load(true);
  }

  async function load(aloud) {
    clearTimeout(timer);
    const mine = ++asked;
    try {
      const page = await api.list(wanted);
      if (!gone && mine === asked) {
        pages = [page];
        draw();
        if (aloud) {
          say(page.episodes.length === 0 ? "Nothing found"
            : `${count(page.episodes.length, "question")}${page.next_cursor ? " and more" : ""}`);
        }
      }
    } catch (refusal) {
      if (!gone && mine === asked) {
        replace(results, refusalTrouble(refusal, () => load(true)));
      }
    }
  }

  async function more(button) {
    button.setAttribute("aria-disabled", "true");
    const from = pages.flatMap((page) => page.episodes).length;
    try {
      pages.push(await api.list({ ...wanted, cursor: pages.at(-1).next_cursor, limit: MORE }));
      draw();
      results.querySelectorAll(".row-link")[from]?.focus();
    } catch (refusal) {
      button.after(refusalTrouble(refusal, null));
      button.removeAttribute("aria-disabled");
    }
  }

  function draw() {
    const episodes = pages.flatMap((page) => page.episodes);
    replace(results, episodes.length === 0 ? empty() : byDay(episodes).map(([name, list]) =>
      h("section", {}, h("h2.day", {}, name),
        h("ul.rows", {}, list.map((episode) => row(episode, wanted.q))))),
      pages.at(-1).next_cursor && h("p", {},
        h("button", { type: "button", onclick: (e) => more(e.currentTarget) }, "Show more")));
    // what runs changes; pages further down are left as they are while somebody reads them
    if (pages.length === 1 && episodes.some((e) => e.status === "running" || e.status === "queued")) {
      timer = setTimeout(quietly, LOOK_AGAIN_MILLIS);
    }
  }

  async function quietly() {
    const focused = results.contains(document.activeElement)
      ? document.activeElement.getAttribute("href") : null;
    await load(false);
    if (focused) {
      results.querySelector(`a[href="${focused}"]`)?.focus();
    }
  }

  function empty() {
    return wanted.q || wanted.status
      ? h("p.empty", {}, "No question fits. ",
        h("button.link", { type: "button", onclick: () => {
          search.value = "";
          status.value = "";
          change();
          search.focus();
        } }, "Show all"))
      : h("p.empty", {}, "Nothing was asked yet. ", h("a", { href: "/", "data-link": true }, "Ask a question"));
  }

  load(false);
  return {
    leave() {
      gone = true;
      clearTimeout(typing);
      clearTimeout(timer);
    },
    move(next) {
      wanted.q = next.get("q") ?? "";
      wanted.status = next.get("status") ?? "";
      search.value = wanted.q;
      status.value = wanted.status;
      load(false);
    },
  };
}
