/* The timeline: one line for each thing that happened, in order, with what is behind it to open. */
import { h, sign } from "./dom.js";
import { CAUSES, count, length, short, toolDid } from "./words.js";

const SUSPICION = "holds text that tries to give orders; it was treated as text";

export class Timeline {
  #episode;
  #drawn = new Map();

  constructor(episode) {
    this.#episode = episode;
    this.list = h("ol.timeline");
    this.element = h("div", {}, this.list);
  }

  /** Draws what changed and leaves the rest alone, with its open parts and the focus in it. */
  draw(progress) {
    for (const entry of progress.entries) {
      const drawn = this.#drawn.get(entry.key);
      const version = `${entry.version} ${progress.ended !== null}`;
      if (drawn?.version === version) {
        continue;
      }
      const item = this.#item(entry, progress);
      if (drawn) {
        keep(drawn.item, item);
      } else {
        this.list.append(item);
      }
      this.#drawn.set(entry.key, { version, item });
    }
    this.#live(progress);
  }

  /** @param is whether more that is stored is still to come, from an episode that has ended */
  busy(is) {
    this.list.setAttribute("aria-busy", is);
  }

  #live(progress) {
    const entry = progress.entries.at(-1);
    const item = entry && this.#drawn.get(entry.key)?.item;
    for (const other of this.list.querySelectorAll(".live")) {
      if (!item?.contains(other) || progress.ended) {
        other.remove();
      }
    }
    if (!item || progress.ended || entry.doneAt) {
      return;
    }
    const text = progress.waiting
      ? `${progress.waiting.reason}; it is tried again.`
      : entry.type === "turn" ? readable(progress.live.text) : "";
    let live = item.querySelector(".live");
    if (!live && text) {
      live = h("p.live", { dir: "auto" });
      item.querySelector(".entry").append(live);
    }
    live?.replaceChildren(text);
  }

  #item(entry, progress) {
    const open = !entry.doneAt && !progress.ended && ["turn", "tool", "check"].includes(entry.type);
    const drawn = DRAW[entry.type](entry, this.#episode, progress);
    return h("li", { "data-type": entry.type, "data-open": open || null },
      h("span.dot", {}, sign(drawn.sign)),
      h("div.entry", {},
        h("p.entry-head", {},
          h("span.entry-name", {}, drawn.name, open && h("span.unseen", {}, " – under way")),
          h("span.entry-facts", {}, drawn.facts.filter(Boolean).join(" · "))),
        drawn.more,
        tries(entry)));
  }
}

/** Puts {@code fresh} in the place of {@code old}: what was open stays open, focus stays. */
function keep(old, fresh) {
  const opened = [...old.querySelectorAll("details")].map((d) => d.open);
  fresh.querySelectorAll("details").forEach((d, i) => {
    d.open = opened[i] ?? false;
  });
  const focusable = (item) => [...item.querySelectorAll("summary, a, button")];
  const at = focusable(old).indexOf(document.activeElement);
  old.replaceWith(fresh);
  if (at >= 0) {
    focusable(fresh)[at]?.focus();
  }
}

/** The newest failure stands for all of them: the same trouble ten times is one line. */
function tries(entry) {
  const last = entry.tries.at(-1);
  const times = entry.tries.length > 1 ? ` (${entry.tries.length} times)` : "";
  const then = last?.retryAt && !entry.doneAt ? " It is tried again." : "";
  return last && h("p.try", {}, sign("warn"),
    h("span", { dir: "auto" }, `${last.message.replace(/[.\s]*$/, "")}${times}.${then}`));
}

function took(entry) {
  return entry.doneAt && length(Date.parse(entry.doneAt) - Date.parse(entry.at));
}

/** Text of a turn in the making, without its tags. */
function readable(text) {
  return text.replace(/<[^<>]{0,200}>/g, " ").replace(/<[^<>]{0,200}$/, "").trim().slice(-280);
}

function texts(parts) {
  const there = parts.filter(([, text]) => text);
  return there.length > 0 && h("details", {}, h("summary", {}, there.map(([name]) => name).join(", ")),
    there.map(([name, text]) => [
      there.length > 1 && h("h4", {}, name), h("div.plain", { dir: "auto" }, text)]));
}

const DRAW = {
  turn(entry) {
    const t = entry.turn;
    const name = entry.cut ? `Was thinking when it was ${entry.cut}`
      : entry.failed ? "The call to the model failed"
      : !t ? "Thinking"
        : t.answers ? "Reviewed the evidence and wrote the answer"
          : entry.first ? "Made a plan"
            : t.plans ? "Looked at the evidence and changed the plan" : "Looked at the evidence";
    return {
      sign: entry.failed ? "warn" : !t || t.answers ? "pen" : "list",
      name,
      facts: [took(entry), entry.tokens > 0 && `${short(entry.tokens)} tokens`],
      more: t && texts([
        ["Analysis", t.analysis], ["Plan", t.steps], ["Where it stands", t.evaluation],
        ["Writing plan", t.writing], ["Thoughts", t.thinking],
      ]),
    };
  },

  tool(entry, episode, progress) {
    const found = entry.found ?? [];
    return {
      sign: entry.refused || entry.failed ? "warn" : "search",
      name: entry.cut ? `Was searching when it was ${entry.cut}`
        : entry.failed ? `${toolDid(entry.tool)}: no result`
          : entry.before ? "Searched for the same again" : toolDid(entry.tool),
      facts: [
        entry.found && `${count(found.length, "passage")}${fresh(entry)}`,
        took(entry),
      ],
      more: [
        !entry.before && h("p.query", { dir: "auto" }, entry.query),
        entry.refused && h("p.try", { dir: "auto" }, sign("warn"), entry.refused),
        (entry.notes ?? []).map((note) => h("p.try", { dir: "auto" }, note)),
        suspicious(entry).map((id) => h("p.try", {}, sign("warn"),
          h("span", {}, id ? passageLink(episode, id, id) : "A passage", ` ${SUSPICION}.`))),
        newest(entry, episode, progress),
        found.length > 0 && h("details", {},
          h("summary", {}, `Read ${count(found.length, "passage")}`),
          h("ul.passages", {}, found.map((id) => h("li", {},
            passageLink(episode, id, progress.passages.get(id)?.title ?? id))))),
      ],
    };
  },

  served(entry) {
    const times = entry.times > 1 ? `, ${entry.times} times` : "";
    return { sign: "again", name: `Asked the same again${times}`, facts: ["nothing new"], more: null };
  },

  check(entry) {
    const verdicts = entry.verdicts ?? [];
    const supported = verdicts.filter((state) => state === "supported").length;
    return {
      sign: "check",
      name: entry.cut ? `Was checking citations when it was ${entry.cut}`
        : entry.failed ? "The citations could not be checked" : "Held each claim against its passage",
      facts: [verdicts.length > 0 && `${supported} of ${verdicts.length} supported`, took(entry)],
      more: null,
    };
  },

  finish(entry) {
    const name = entry.cause === "requested"
      ? "Ended early by a reader; the answer is written from what was found"
      : `Searching ended: ${CAUSES[entry.cause] ?? entry.cause}`;
    return { sign: "flag", name, facts: [], more: null };
  },

  note(entry) {
    return { sign: entry.sign ?? "dash", name: entry.text, facts: [], more: null };
  },
};

function fresh(entry) {
  return entry.fresh.length === entry.found.length ? ""
    : entry.fresh.length === 0 ? ", nothing new" : `, ${entry.fresh.length} new`;
}

/** What a search brought that was not there before: the first few, by title. */
const NEWEST = 3;

function newest(entry, episode, progress) {
  const byTitle = new Map((entry.fresh ?? []).map((id) => [progress.passages.get(id)?.title ?? id, id]));
  const shown = [...byTitle].slice(0, NEWEST);
  return shown.length > 0 && h("ul.newest", { "aria-label": "New passages" }, shown.map(([title, id]) =>
    h("li", {}, passageLink(episode, id, title))));
}

function passageLink(episode, id, text) {
  const href = `/research/${episode}/source/${encodeURIComponent(id)}`;
  return h("a", { href, "data-link": true, dir: "auto" }, text);
}

/** The passages behind flags such as "S_3: fake_tag", each once. */
function suspicious(entry) {
  return [...new Set((entry.suspicions ?? []).map((text) => /^(S_\d+):/.exec(text)?.[1] ?? ""))];
}

/** Where the research is: four stages, the present one marked. */
export function stages(progress, status) {
  const names = { plan: "Plan", research: "Research", review: "Review", answer: "Answer" };
  const order = Object.keys(names);
  const at = status === "completed" ? order.length : order.indexOf(progress.stage);
  return h("ol.stages", { "aria-label": "Stages" }, order.map((stage, i) => {
    const state = i < at ? "done" : i > at ? "ahead"
      : status === "failed" || status === "cancelled" ? "broken" : "here";
    const words = { done: "done", ahead: "not begun", broken: "ended here", here: "under way" };
    return h("li", { "data-state": state, "aria-current": state === "here" ? "step" : null },
      h("span.stage-dot", {}, state === "done" && sign("check"), state === "broken" && sign("cross")),
      h("span", {}, names[stage]), h("span.unseen", {}, `: ${words[state]}`));
  }));
}
