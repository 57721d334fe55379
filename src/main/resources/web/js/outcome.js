/* What an episode that has ended came to: the report, or why there is none. */
import { h, sign } from "./dom.js";
import * as reports from "./report.js";
import { CAUSES, count } from "./words.js";
import { refusalTrouble, trouble } from "./trouble.js";

/**
 * @param report what {@code readReport} gave, or null
 * @param refusal why there is no report though the episode completed, or null
 * @param timeline the element that shows how it was researched
 */
export function outcome({ episode, report, refusal, timeline }) {
  return [
    result(episode),
    report && reportPart(episode, report),
    refusal && !report && episode.status === "completed"
      && refusalTrouble(refusal, () => location.reload()),
    reports.searched(episode),
    h("details.how", { open: episode.status !== "completed" || episode.outcome === "no_evidence" },
      h("summary", {}, h("h2", {}, "How it was researched")), timeline),
  ];
}

function again(episode, text) {
  return h("a.button", { href: `/?again=${episode.id}`, "data-link": true }, sign("again"), text);
}

function result(episode) {
  if (episode.status === "failed") {
    return trouble({
      title: "The research failed",
      detail: episode.error?.message ?? "",
      more: h("p.soft", {}, "What was found until then is kept below. Asking again begins anew; ",
        h("code", {}, `rubricem ask --resume ${episode.id}`), " goes on from here."),
      actions: [again(episode, "Ask again")],
    });
  }
  if (episode.status === "cancelled") {
    return trouble({
      kind: "none", title: "This research was cancelled",
      detail: "What had been found until then is kept below.",
      actions: [again(episode, "Ask again")],
    });
  }
  if (episode.outcome === "no_evidence") {
    return trouble({
      kind: "none", title: "Nothing that was searched answers this question",
      detail: "So nothing is claimed. Other words may help, or documents that speak of it.",
      actions: [again(episode, "Ask in other words")],
    });
  }
  return banners(episode);
}

function banners(episode) {
  const removed = episode.citation_check.removed;
  const cause = CAUSES[episode.finish_cause] ?? "a limit was reached";
  const banner = (signName, ...text) => h("p.banner", {}, sign(signName), h("span", {}, text));
  return [
    episode.outcome === "limit_reached" && banner("flag",
      `Written before the research was complete: ${cause}. `,
      h("a", { href: `/?again=${episode.id}`, "data-link": true }, "Ask again with a wider limit")),
    episode.finish_cause === "requested" && banner("flag", "Written early, because you asked to finish."),
    removed > 0 && banner("warn",
      `${count(removed, "citation")} pointed at nothing that was retrieved and ${removed === 1 ? "was" : "were"} removed.`),
  ];
}

function reportPart(episode, report) {
  return [
    reports.contents(report.headings),
    report.article.length > 0 && h("div", { lang: report.language, dir: report.direction },
      h("section.report", { "data-format": episode.format, dir: "auto", "aria-label": "Report" }, report.article)),
    reports.legend(episode.citation_check),
    reports.notFound(report.notFound),
    reports.references(episode, report.places),
  ];
}
