/* The question box, and what was asked last. */
import { h, replace, sign, say } from "./dom.js";
import * as api from "./api.js";
import { startNext } from "./endings.js";
import { FORMATS, count, length, sourceName } from "./words.js";
import { forget, leftOver, submit } from "./submission.js";
import { row } from "./history.js";
import { refusalTrouble } from "./trouble.js";

/** What the form assumes while the server has not said what it offers. */
const UNKNOWN_OFFER = {
  policies: [], sources: [], question_chars_max: 32_768,
  limits: { tool_calls: 10, seconds: 600 }, limits_max: { tool_calls: 200, seconds: 86_400 },
};

/** Characters left from which on they are counted aloud. */
const COUNT_FROM = 2_000;

const RECENT = 5;
const RETRY_MILLIS = 3_000;

export function askView(place, query, frame) {
  let gone = false;
  const timers = new Set();
  const later = (what, millis) => timers.add(setTimeout(what, millis));
  const again = query.get("again");
  const form = new Form(frame);
  const recent = h("section.recent", { "aria-labelledby": "recent", hidden: true });
  place.append(
    h("div.ask", {},
      h("h1", {}, "What do you want to find out?"),
      h("p.lead", {}, "RubricEM searches your documents, checks each claim against the passage it rests on, and shows you both."),
      form.element,
      recent));
  if (again === null) {
    form.focus();
  }
  const whenGone = () => gone;
  offers(form, later, whenGone);
  readiness(form, later, whenGone);
  if (again) {
    prefill(form, again, whenGone);
  } else if (leftOver()) {
    form.fill(leftOver());
    form.send("Your question had not been answered when the page was left. Sending it again …");
  }
  latest(recent, whenGone);
  return {
    leave() {
      gone = true;
      timers.forEach(clearTimeout);
    },
  };
}

async function offers(form, later, gone) {
  try {
    form.offer(await api.offer());
  } catch {
    if (!gone()) {
      later(() => offers(form, later, gone), RETRY_MILLIS);
    }
  }
}

async function readiness(form, later, gone) {
  let missing = "";
  try {
    await api.ready();
  } catch (refusal) {
    missing = refusal.detail || refusal.title;
  }
  if (!gone()) {
    form.server(missing);
    if (missing) {
      later(() => readiness(form, later, gone), RETRY_MILLIS);
    }
  }
}

async function prefill(form, id, gone) {
  try {
    const episode = await api.episode(id);
    if (!gone()) {
      form.fill({
        question: episode.question, format: episode.format, policy: episode.policy.spec,
        sources: history.state?.sources, limits: episode.limits,
      });
      form.focus();
    }
  } catch (refusal) {
    form.refused(refusal);
  }
}

async function latest(section, gone) {
  try {
    const page = await api.list({ limit: RECENT });
    if (gone()) {
      return;
    }
    section.hidden = false;
    replace(section, page.episodes.length === 0 ? firstTime() : [
      h("h2", { id: "recent" }, "Asked lately"),
      h("ul.rows", {}, page.episodes.map((episode) => row(episode))),
      h("p", {}, h("a", { href: "/research/history", "data-link": true }, "All of the history")),
    ]);
  } catch {
    // the form says that the server is away
  }
}

function firstTime() {
  const step = (name, text) => h("li", {}, h("strong", {}, name), " ", text);
  return [
    h("h2", { id: "recent" }, "How an answer comes about"),
    h("ol.steps", {},
      step("Plan", "The question becomes a rubric: what the answer must hold."),
      step("Research", "Searches run until the rubric is met or nothing new turns up."),
      step("Review", "Every item of the rubric is held against the evidence."),
      step("Answer", "A report in which each number opens the passage behind it.")),
  ];
}

/** The form. It knows what may be asked for and keeps what was typed, whatever the server does. */
class Form {
  #frame;
  #offer = UNKNOWN_OFFER;
  #wanted = {};
  #sending = false;

  constructor(frame) {
    this.#frame = frame;
    this.question = h("textarea", {
      id: "question", name: "question", rows: 3, required: true, dir: "auto", spellcheck: "true",
      placeholder: "Ask in any language", "aria-describedby": "left problem",
      oninput: () => this.#typed(),
      onkeydown: (event) => this.#key(event),
    });
    this.left = h("span.left", { id: "left" });
    this.status = h("div", { id: "problem", role: "alert" });
    this.state = h("p.state", { role: "status" });
    this.button = h("button.main", { type: "submit" }, "Ask");
    this.policy = h("div.field", { hidden: true });
    this.sources = h("fieldset.field", { hidden: true });
    this.searches = number("searches", "Searches at most");
    this.minutes = number("seconds", "Seconds at most");
    this.now = h("span.more-now");
    this.about = h("p.about", { id: "about" });
    this.element = h("form", {
      class: "box", novalidate: true, onsubmit: (e) => this.#submit(e), oninput: () => this.#tellChoice(),
    },
      h("label.unseen", { for: "question" }, "Question"),
      this.question,
      h("div.row", {}, formats(), h("div.go", {}, this.left, this.button)),
      this.about, this.status, this.state,
      h("details.more", {}, h("summary", {}, "Sources and limits", this.now),
        h("div.fields", {}, this.sources, this.policy, this.searches, this.minutes)));
    this.offer(UNKNOWN_OFFER);
  }

  focus() {
    this.question.focus({ preventScroll: true });
  }

  offer(offer) {
    this.#offer = offer;
    limits(this.searches, offer.limits.tool_calls, offer.limits_max.tool_calls);
    limits(this.minutes, offer.limits.seconds, offer.limits_max.seconds);
    this.policy.hidden = offer.policies.length < 2;
    replace(this.policy, h("label", { for: "policy" }, "Answered by"),
      h("select", { id: "policy" }, offer.policies.map((p) => h("option", { value: p }, p))));
    this.sources.hidden = offer.sources.length === 0;
    replace(this.sources, h("legend", {}, "Where to look"), offer.sources.map((source) =>
      h("label.tick", {},
        h("input", { type: "checkbox", name: "source", value: source, checked: true }),
        sourceName(source))));
    this.fill(this.#wanted);
  }

  /** What is chosen, without opening anything: the form in words, sources and limits in figures. */
  #tellChoice() {
    const { about } = FORMATS[this.element.querySelector("[name=format]:checked").value];
    replace(this.about, `${about}. `, h("span.keys", {}, h("kbd", {}, "Ctrl"), " ", h("kbd", {}, "Enter"), " asks."));
    const value = (field) => {
      const input = field.querySelector("input");
      return Number(input.value || input.placeholder);
    };
    this.now.textContent = [
      ...this.#ticks().filter((tick) => tick.checked).map((tick) => sourceName(tick.value)),
      count(value(this.searches), "search", "searches"),
      span(value(this.minutes)),
    ].join(" · ");
  }

  /** Fills in what was asked before; what this server does not offer is passed over. */
  fill(body) {
    this.#wanted = body;
    if (body.question !== undefined) {
      this.question.value = body.question;
    }
    const format = this.element.querySelector(`[name=format][value="${body.format}"]`);
    if (format) {
      format.checked = true;
    }
    if (this.#offer.policies.includes(body.policy)) {
      this.policy.querySelector("select").value = body.policy;
    }
    for (const tick of this.#ticks()) {
      tick.checked = body.sources?.includes(tick.value) ?? true;
    }
    if (body.limits) {
      this.searches.querySelector("input").value = body.limits.tool_calls ?? "";
      this.minutes.querySelector("input").value = body.limits.seconds ?? "";
    }
    this.#typed();
    this.#tellChoice();
  }

  server(missing) {
    replace(this.state, missing && [sign("clock"), missing]);
  }

  #ticks() {
    return [...this.sources.querySelectorAll("input")];
  }

  #typed() {
    const left = this.#offer.question_chars_max - [...this.question.value].length;
    const text = left < 0
      ? `${count(-left, "character")} too many` : `${count(left, "character")} left`;
    this.left.textContent = left < COUNT_FROM ? text : "";
    this.left.classList.toggle("over", left < 0);
    this.#wanted = { ...this.#wanted, question: this.question.value };
  }

  #key(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) {
      event.preventDefault();
      this.element.requestSubmit();
    }
  }

  #submit(event) {
    event.preventDefault();
    const wrong = this.#wrong();
    if (wrong) {
      replace(this.status, h("p.wrong", {}, sign("warn"), wrong.text));
      wrong.field.setAttribute("aria-invalid", "true");
      wrong.field.focus();
      return;
    }
    this.send("");
  }

  #wrong() {
    for (const field of this.element.querySelectorAll("[aria-invalid]")) {
      field.removeAttribute("aria-invalid");
    }
    const letters = [...this.question.value].length;
    if (this.question.value.trim() === "") {
      return { field: this.question, text: "Write a question first." };
    }
    if (letters > this.#offer.question_chars_max) {
      const max = this.#offer.question_chars_max.toLocaleString("en");
      return { field: this.question, text: `A question has up to ${max} characters. Put long material into the documents.` };
    }
    const ticks = this.#ticks();
    if (ticks.length > 0 && !ticks.some((tick) => tick.checked)) {
      this.element.querySelector("details").open = true;
      return { field: ticks[0], text: "Choose at least one place to look." };
    }
    for (const field of [this.searches, this.minutes]) {
      const input = field.querySelector("input");
      const value = Number(input.value);
      if (input.value !== "" && !(Number.isInteger(value) && value >= 1 && value <= Number(input.max))) {
        this.element.querySelector("details").open = true;
        const name = field.querySelector("label").textContent;
        return { field: input, text: `${name}: a whole number from 1 to ${Number(input.max).toLocaleString("en")}.` };
      }
    }
    return null;
  }

  /**
   * Only what somebody chose. What the server assumes anyway is left out, so that the same question
   * is the same body before and after the server has said what it offers.
   */
  #body() {
    const body = {
      question: this.question.value,
      format: this.element.querySelector("[name=format]:checked").value,
      limits: {},
    };
    const ticks = this.#ticks();
    if (ticks.some((tick) => !tick.checked)) {
      body.sources = ticks.filter((tick) => tick.checked).map((tick) => tick.value);
    }
    const policy = this.#offer === UNKNOWN_OFFER
      ? this.#wanted.policy : this.policy.querySelector("select").value;
    if (policy && policy !== this.#offer.policies[0]) {
      body.policy = policy;
    }
    const asked = { tool_calls: this.searches, seconds: this.minutes };
    for (const [name, field] of Object.entries(asked)) {
      const input = field.querySelector("input");
      if (input.value !== "") {
        body.limits[name] = Number(input.value);
      }
    }
    return body;
  }

  /** @param why what is said while it is under way */
  async send(why) {
    if (this.#sending) {
      return;
    }
    this.#busy(true, why || "Sending …");
    try {
      const episode = await submit(leftOver() && why ? leftOver() : this.#body());
      say("Your question was taken. The research begins.");
      this.#frame.go(`/research/${episode.id}`);
    } catch (refusal) {
      this.refused(refusal);
    }
  }

  #busy(sending, text = "") {
    this.#sending = sending;
    this.button.setAttribute("aria-disabled", String(sending));
    replace(this.button, sending ? "Sending …" : "Ask");
    replace(this.status);
    replace(this.state, sending && text);
  }

  refused(refusal) {
    this.#busy(false);
    if (!refusal.passing) {
      forget();
    }
    const wait = refusal.retryAfter > 0 ? ` In about ${count(refusal.retryAfter, "second")}.` : "";
    const shown = refusal.status === 429 ? { ...plain(refusal), detail: refusal.detail + wait } : refusal;
    replace(this.status, refusalTrouble(
      shown, refusal.passing ? () => this.element.requestSubmit() : null, startNext(refusal)));
  }
}

const plain = (refusal) => ({ status: refusal.status, title: refusal.title, detail: refusal.detail });

function formats() {
  return h("fieldset.formats", {}, h("legend.unseen", {}, "Shape of the answer"),
    Object.entries(FORMATS).map(([value, format], index) =>
      h("label", { title: format.about },
        h("input", { type: "radio", name: "format", value, checked: index === 0 }),
        h("span", {}, format.name))));
}

/** A limit of time: 90 as 1 min 30 s, and no seconds that are none. */
function span(seconds) {
  return length(seconds * 1000).replace(/ 0 (s|min)$/, "").replace(/\.0 s$/, " s");
}

function number(id, label) {
  return h("div.field", {}, h("label", { for: id }, label),
    h("input", { id, type: "number", min: 1, step: 1, inputmode: "numeric" }));
}

function limits(field, usual, most) {
  const input = field.querySelector("input");
  input.placeholder = String(usual);
  input.max = String(most);
}
