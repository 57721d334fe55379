/* One episode: followed while it runs, read when it has ended. */
import { h, replace, say, sign } from "./dom.js";
import * as api from "./api.js";
import { Feed } from "./feed.js";
import { Glance } from "./glance.js";
import { PassagePanel } from "./passage.js";
import { Progress } from "./progress.js";
import { rubricPart } from "./rubric.js";
import * as reports from "./report.js";
import { Timeline, stages } from "./timeline.js";
import { ending } from "./endings.js";
import { badges, confirmCancel, facts, figures } from "./head.js";
import { outcome, over } from "./outcome.js";
import { copyLink, exportMenu } from "./takeaway.js";
import { STAGES, title } from "./words.js";
import { refusalTrouble, trouble } from "./trouble.js";

const RETRY_MILLIS = 3_000;
const DRAW_MILLIS = 16;

export function episodeView(place, target, frame) {
  const view = new EpisodeView(place, target, frame);
  return { leave: () => view.leave(), move: (next) => view.move(next) };
}

function awayWords(refusal, ended) {
  if (!refusal?.crowded) {
    return "The server cannot be reached. The research goes on by itself; this page comes back to it as soon as it can.";
  }
  return ended
    ? "Too many pages follow research on this server now. How this was researched is shown here as soon as there is room: this page tries again by itself."
    : "Too many pages follow research on this server now. The research goes on by itself; this page tries again by itself until there is room.";
}

class EpisodeView {
  away = "";
  progress = new Progress();
  #episode = null;
  #report = null;
  #feed = null;
  #timers = new Set();
  #drawing = 0;
  #gone = false;
  #asked = 0;
  #loading = false;

  constructor(place, target, frame) {
    this.id = target.id;
    this.place = place;
    this.frame = frame;
    this.target = target;
    this.timeline = new Timeline(target.id);
    this.panel = new PassagePanel(this, frame);
    this.glance = new Glance(place, () => this.#episode?.citations ?? []);
    this.unfollow = () => {};
    replace(place, h("p.loading", {}, "Opening …"));
    this.#load();
  }

  episode() {
    return this.#episode;
  }

  leave() {
    this.#gone = true;
    this.#feed?.close();
    clearTimeout(this.#drawing);
    this.#timers.forEach(clearTimeout);
    clearInterval(this.clock);
    this.panel.close();
    this.glance.leave();
    this.unfollow();
    document.body.classList.remove("has-passage");
  }

  move(target) {
    this.target = target;
    if (target.source && this.#episode) {
      this.panel.open(target.source, target.claim === null ? null : target.claim - 1);
    } else {
      this.panel.close();
    }
  }

  #later(what, millis) {
    this.#timers.add(setTimeout(what, millis));
  }

  async #load() {
    try {
      const episode = await api.episode(this.id);
      if (!this.#gone) {
        await this.#took(episode);
      }
    } catch (refusal) {
      if (!this.#gone) {
        this.#cannotOpen(refusal);
      }
    }
  }

  #cannotOpen(refusal) {
    const unknown = refusal.status === 404;
    replace(this.place, h("div.narrow", {},
      h("h1", {}, unknown ? "There is no such research" : "This cannot be opened now"),
      unknown
        ? trouble({
          kind: "none", title: "Nothing is stored under this address",
          detail: "The link may be cut short, or it belongs to another server.",
          actions: [
            h("a.button", { href: "/", "data-link": true }, "Ask a question"),
            h("a.button.quiet", { href: "/research/history", "data-link": true }, "Look into the history"),
          ],
        })
        : refusalTrouble(refusal, () => this.#load())));
    if (refusal.passing) {
      this.#later(() => this.#load(), RETRY_MILLIS);
    }
  }

  /** The first look at the episode: from here on its events tell what happens. */
  async #took(episode) {
    this.#episode = episode;
    this.progress.shown(episode.stage);
    if (over(episode)) {
      await this.#readReport(episode);
    }
    if (this.#gone) {
      return;
    }
    this.timeline.busy(over(episode));
    this.#frameUp();
    this.#draw();
    this.#feed = new Feed(this.id, {
      stored: (event) => {
        this.progress.stored(event);
        if (event.kind === "policy_turn_generated" && !over(this.#episode)) {
          this.#refresh();
        }
        this.#drawSoon();
      },
      passing: (kind, news) => {
        this.progress.passing(kind, news);
        this.#drawSoon();
      },
      connection: (there, refusal) => this.#connection(there, refusal),
      ended: (event) => {
        this.#draw();
        this.timeline.busy(false);
        this.#ended(event.kind === "episode_completed");
      },
    });
    this.clock = setInterval(() => this.#tick(), 1_000);
    if (this.target.source) {
      this.move(this.target);
    } else if (over(episode) && location.hash) {
      this.#toPart(location.hash.slice(1));
    }
  }

  /** The browser looked for the part before the report was there. */
  #toPart(id) {
    const part = document.getElementById(id);
    if (part) {
      part.scrollIntoView();
      part.focus({ preventScroll: true });
    } else {
      say("This report has no such part.");
    }
  }

  /** What the events do not tell in a form to show: plan, review, figures. */
  async #refresh() {
    const mine = ++this.#asked;
    try {
      const episode = await api.episode(this.id);
      if (!this.#gone && mine === this.#asked && !over(this.#episode)) {
        if (over(episode)) {
          // it stays the running one until the report is there to show in its place
          await this.#ended(episode.status === "completed");
          return;
        }
        this.#episode = episode;
        this.progress.shown(episode.stage);
        this.#drawSoon();
      }
    } catch {
      // the stream notices a server that is away
    }
  }

  /** @param written whether there should be a report: it is fetched together with the episode */
  async #ended(written) {
    if (this.#loading || over(this.#episode)) {
      return;
    }
    this.#loading = true;
    this.#asked++;
    try {
      const [episode, html] = await Promise.all([
        api.episode(this.id), written ? api.report(this.id, "html").catch(() => null) : null]);
      this.html = html;
      await this.#readReport(episode);
      this.#episode = episode;
    } catch {
      this.#later(() => this.#ended(written), RETRY_MILLIS);
      return;
    } finally {
      this.#loading = false;
    }
    if (!this.#gone) {
      this.frame.notice();
      this.#frameUp();
      this.#draw();
      this.#announceEnd();
    }
  }

  #announceEnd() {
    const words = {
      completed: this.#episode.outcome === "no_evidence"
        ? "The research has ended. Nothing was found that answers the question." : "The report is ready.",
      failed: "The research failed.", cancelled: "The research was cancelled.",
    };
    say(words[this.#episode.status] ?? "");
  }

  async #readReport(episode) {
    if (!episode.answer && episode.status !== "completed") {
      return;
    }
    try {
      this.html ??= await api.report(this.id, "html");
      this.#report = reports.readReport(this.html, episode);
    } catch (refusal) {
      this.reportRefusal = refusal;
    }
  }

  #connection(there, refusal = null) {
    const said = there ? "" : awayWords(refusal, over(this.#episode));
    if (there && this.away) {
      say("Connected again.");
    }
    if (there && this.away || refusal?.crowded) {
      this.#refresh();
    }
    if (said !== this.away) {
      this.away = said;
      this.frame.notice(said && h("p.notice-line", {}, h("span.pulse"), said));
    }
  }

  // ---- drawing

  #drawSoon() {
    if (this.#drawing === 0) {
      this.#drawing = setTimeout(() => {
        this.#drawing = 0;
        this.#draw();
      }, DRAW_MILLIS);
    }
  }

  /** What stands for the whole of a phase: while it runs, and when it has ended. */
  #frameUp() {
    const episode = this.#episode;
    const focused = this.place.contains(document.activeElement);
    const name = title(episode.question);
    const ended = over(episode);
    this.frame.title(ended ? name : `Researching: ${name}`);
    this.unfollow();
    this.stagesPlace = h("div.stages-place");
    this.figures = h("p.figures");
    this.rubric = h("div.rubric-place");
    this.status = h("div", { role: "alert" });
    this.searchedPlace = h("div.searched-place");
    replace(this.place,
      h("article.episode", { "data-status": episode.status },
        h("header.episode-head", {},
          h("h1", { dir: "auto", tabindex: "-1" }, name),
          name.length < episode.question.trim().length && h("details.whole", {},
            h("summary", {}, "The whole question"), h("p.plain", { dir: "auto" }, episode.question)),
          h("div.facts", {}, badges(episode), this.#actions(ended)),
          facts(episode, this.figures),
          this.status),
        !ended && this.stagesPlace,
        h("div.columns", {},
          h("div.main-column", {}, ended ? outcome({
            episode, report: this.#report, refusal: this.reportRefusal, timeline: this.timeline.element,
          }) : [
            h("section", { "aria-labelledby": "happening" },
              h("h2.unseen", { id: "happening" }, "What is happening"), this.timeline.element),
            this.searchedPlace,
          ]),
          h("aside.side", { "aria-label": "Rubric", tabindex: "0" },
            ended && this.#report && reports.contents(this.#report), this.rubric))),
      this.panel.element);
    this.drawnSearched = "";
    this.unfollow = reports.followReading(this.place);
    if (focused) {
      this.place.querySelector("h1").focus({ preventScroll: true });
    }
  }

  #actions(ended) {
    if (!ended) {
      this.finishButton = h("button", { type: "button", onclick: () => this.#command("finish") },
        sign("flag"), "Finish now");
      return h("div.actions", {}, this.finishButton,
        h("button.quiet", { type: "button", onclick: () => confirmCancel(this.place, () => this.#command("cancel")) }, sign("stop"), "Cancel"));
    }
    // where there is no report, what is said about it has this step already
    return h("div.actions", {},
      ending(this.#episode) === null && h("a.button", {
        href: `/?again=${this.id}`, onclick: (event) => {
          event.preventDefault();
          this.frame.go(`/?again=${this.id}`, { state: { sources: this.progress.request?.sources } });
        },
      }, sign("again"), this.#episode.outcome === "limit_reached" ? "Ask with wider limits" : "Ask again"),
      this.#report && exportMenu(this.id, (refusal) => replace(this.status, refusalTrouble(refusal, null))),
      copyLink(this.id));
  }

  #draw() {
    if (this.#gone || !this.#episode) {
      return;
    }
    this.timeline.draw(this.progress);
    const ended = over(this.#episode);
    if (!ended) {
      const at = `${this.progress.stage} ${this.progress.ended?.kind}`;
      if (at !== this.drawnStage) {
        if (this.drawnStage && !this.progress.ended) {
          say(`Stage ${STAGES.indexOf(this.progress.stage) + 1} of 4: ${this.progress.stage}`);
        }
        this.drawnStage = at;
        replace(this.stagesPlace, stages(this.progress, this.#episode.status));
      }
      this.#drawSearched();
      const finishing = this.progress.finishing !== null || this.progress.stage === "answer";
      if (finishing && this.finishButton.getAttribute("aria-disabled") !== "true") {
        this.finishButton.setAttribute("aria-disabled", "true");
        replace(this.finishButton, sign("flag"), "Finishing …");
      }
    }
    const rubric = JSON.stringify([this.#episode.plan, this.#episode.review, ended]);
    if (rubric !== this.drawnRubric || !this.rubric.hasChildNodes()) {
      this.drawnRubric = rubric;
      replace(this.rubric, rubricPart(this.#episode, ended, (snippet) => this.#evidence(snippet)));
    }
    this.#tick();
  }

  /** While it runs, the newest search tells what is searched. */
  #drawSearched() {
    const { searched } = this.progress;
    const drawn = JSON.stringify(searched);
    if (searched && drawn !== this.drawnSearched) {
      this.drawnSearched = drawn;
      replace(this.searchedPlace, reports.searched(searched));
    }
  }

  #evidence(snippet) {
    const number = this.#episode.citations.find((c) => c.snippet_id === snippet)?.number;
    return h("a.chip", {
      href: reports.sourcePath(this.id, snippet), "data-link": true,
      "aria-label": number ? `Citation ${number}` : `Passage ${snippet}, not cited`,
    }, number ?? snippet.replace("_", "\u202f"));
  }

  #tick() {
    const counted = figures(this.#episode, this.progress);
    if (this.figures.childElementCount !== counted.length) {
      replace(this.figures, counted.map((figure) => h("span", {}, figure)));
    }
    counted.forEach((figure, i) => {
      const at = this.figures.children[i];
      if (at.textContent !== figure) {
        at.textContent = figure;
      }
    });
  }

  // ---- commands

  async #command(name) {
    if (this.commanding) {
      return;
    }
    this.commanding = true;
    if (name === "finish") {
      this.finishButton.setAttribute("aria-disabled", "true");
      replace(this.finishButton, sign("flag"), "Finishing …");
      say("The answer is written from what was found.");
    }
    try {
      await api.command(this.id, name);
      this.#refresh();
    } catch (refusal) {
      replace(this.status, refusalTrouble(refusal, () => {
        replace(this.status);
        this.#command(name);
      }));
      this.finishButton.removeAttribute("aria-disabled");
      replace(this.finishButton, sign("flag"), "Finish now");
    } finally {
      this.commanding = false;
    }
  }
}
