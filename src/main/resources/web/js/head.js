/* What stands over an episode: how it stands, and what it is. */
import { h, sign } from "./dom.js";
import * as api from "./api.js";
import { badge } from "./history.js";
import { over } from "./outcome.js";
import * as reports from "./report.js";
import { rubricTally } from "./rubric.js";
import { FORMATS, count, length, moment, short, ticking } from "./words.js";

export function badges(episode) {
  return h("div.badges", {},
    badge(episode),
    over(episode) && episode.finish_cause === "requested" && episode.outcome === "answered"
      && h("span.badge", { "data-kind": "ended_early" }, sign("flag"), "Ended early"),
    over(episode) && episode.status === "completed" && episode.outcome !== "no_evidence"
      && reports.checkBadge(episode.citation_check),
    over(episode) && tally(episode));
}

function tally(episode) {
  const words = rubricTally(episode);
  return words && h("a.badge", { href: "#rubric" }, sign("list"), `Rubric: ${words}`);
}

/** @param counted the place of the figures */
export function facts(episode, counted) {
  return h("div.fact-list", {},
    h("span", {}, FORMATS[episode.format]?.name ?? episode.format),
    h("time", { datetime: episode.created_at }, moment(episode.created_at)),
    h("bdi.policy", { title: episode.policy.spec }, episode.policy.spec),
    counted);
}

/** What was used so far, in words. */
export function figures(episode, progress) {
  const { usage } = progress;
  const ended = over(episode);
  const from = Date.parse(episode.started_at ?? progress.startedAt ?? episode.created_at);
  const to = ended ? Date.parse(episode.ended_at) : api.now();
  const tokens = usage.prompt + usage.completion;
  return [
    ended ? length(to - from) : ticking(to - from),
    ended
      ? count(usage.tools, "search", "searches")
      : `${usage.tools} of ${count(episode.limits.tool_calls, "search", "searches")}`,
    count(progress.passages.size, "passage"),
    tokens > 0 && `${short(tokens)} tokens`,
    usage.cost > 0 && `US$ ${usage.cost.toFixed(4)}`,
  ].filter(Boolean);
}

/** Asks before it cancels: nothing brings the report back. */
export function confirmCancel(place, cancel) {
  const opener = document.activeElement;
  const dialog = h("dialog.confirm", { "aria-labelledby": "confirm", onclose: () => {
    dialog.remove();
    if (opener.isConnected) {
      opener.focus();
    }
  } },
  h("h2", { id: "confirm" }, "Cancel this research?"),
  h("p", {}, "No report is written. To get one from what was found so far, finish it instead."),
  h("p.actions", {},
    h("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, "Keep going"),
    h("button.danger", { type: "button", onclick: () => {
      dialog.close();
      cancel();
    } }, "Cancel the research")));
  place.append(dialog);
  dialog.showModal();
}
