/* What an episode that has ended came to: the report, or why there is none. */
import { h, sign } from "./dom.js";
import * as reports from "./report.js";
import { ending, remarks } from "./endings.js";
import { refusalTrouble, trouble } from "./trouble.js";

/** A longer paragraph has something to say: what is missing, or where to look. */
const SENTENCE_MAX = 120;

/**
 * @param report what {@code readReport} gave, or null
 * @param refusal why there is no report though the episode completed, or null
 * @param timeline the element that shows how it was researched
 */
export function outcome({ episode, report, refusal, timeline }) {
  const end = ending(episode);
  return [
    end ? without(episode, end) : remarks(episode).map(([signName, text]) =>
      h("p.banner", {}, sign(signName), h("span", {}, text))),
    report && reportPart(episode, end && saysNoMore(report) ? { ...report, article: [] } : report),
    refusal && !report && episode.status === "completed"
      && refusalTrouble(refusal, () => location.reload()),
    reports.searched(episode.searched, report?.words),
    h("details.how", { open: end !== null },
      h("summary", {}, h("h2", {}, "How it was researched")), timeline),
  ];
}

/** One sentence on having found nothing, in the language of the page: what stands above it says that. */
function saysNoMore(report) {
  const [only, ...more] = report.article.filter((node) => node.textContent.trim() !== "");
  return report.language.startsWith("en") && more.length === 0
    && (!only || only.localName === "p" && only.textContent.length <= SENTENCE_MAX);
}

function without(episode, end) {
  return trouble({
    kind: end.kind, signName: end.sign, title: end.title, detail: end.detail,
    more: [
      end.kept && h("p", {}, end.kept),
      h("p.next", {}, end.next),
    ],
    actions: [h("a.button", { href: `/?again=${episode.id}`, "data-link": true }, sign("again"), end.again)],
  });
}

function reportPart(episode, report) {
  return [
    reports.contents(report),
    reports.citedSources(episode, report.direction),
    report.article.length > 0 && h("div.report-place", { lang: report.language, dir: report.direction },
      h("section.report", { "data-format": episode.format, dir: "auto", "aria-label": "Report" }, report.article)),
    reports.legend(episode.citation_check),
    reports.notFound(report.notFound, report.words.notFound),
    reports.references(episode, report.places, report.words.references),
  ];
}

export function over(episode) {
  return ["completed", "failed", "cancelled"].includes(episode.status);
}
