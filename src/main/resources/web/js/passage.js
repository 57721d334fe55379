/*
 * The panel that shows a stored passage with the cited sentence marked. Beside the report where
 * there is room, so that claim and evidence are read together; over it on a phone.
 */
import { copyText, h, replace, say, sign } from "./dom.js";
import * as api from "./api.js";
import { STATES, count } from "./words.js";
import { outside, sourcePath } from "./report.js";
import { refusalTrouble } from "./trouble.js";

const RETRY_MILLIS = 2_000;

const BESIDE = matchMedia("(min-width: 1100px)");

/** Where each quote stands in the text, in order, overlapping ones as one. */
export function places(text, quotes) {
  const found = [];
  for (const { quote, active } of quotes) {
    const at = quote ? text.indexOf(quote) : -1;
    if (at >= 0) {
      found.push({ from: at, to: at + quote.length, active });
    }
  }
  found.sort((a, b) => a.from - b.from || a.to - b.to);
  const merged = [];
  for (const place of found) {
    const last = merged.at(-1);
    if (last && place.from < last.to) {
      last.to = Math.max(last.to, place.to);
      last.active ||= place.active;
    } else {
      merged.push({ ...place });
    }
  }
  return merged;
}

export class PassagePanel {
  #view;
  #frame;
  #opener = null;
  #shown = "";
  #asked = 0;

  /** @param view { id, episode(), progress } of the episode that is shown */
  constructor(view, frame) {
    this.#view = view;
    this.#frame = frame;
    this.body = h("div.passage-body");
    this.element = h("dialog.passage", {
      "aria-labelledby": "passage-title",
      oncancel: (event) => {
        event.preventDefault();
        this.leave();
      },
      onkeydown: (event) => {
        if (event.key === "Escape") {
          event.preventDefault();
          this.leave();
        }
      },
      onclick: (event) => {
        if (event.target === this.element) {
          this.leave();
        }
      },
    }, this.body);
  }

  /** Goes where the panel is closed; back to where it was opened, if that was this page. */
  leave() {
    if (history.state?.inside) {
      history.back();
    } else {
      this.#frame.go(`/research/${this.#view.id}`, { replacing: true });
    }
  }

  close() {
    if (!this.element.open) {
      return;
    }
    this.element.close();
    document.body.classList.remove("has-passage");
    this.#shown = "";
    this.#mark(null);
    const opener = this.#opener?.isConnected ? this.#opener : null;
    this.#opener = null;
    (opener ?? document.getElementById("view")).focus({ preventScroll: opener === null });
  }

  /** @param claim index of the citation that is looked at, or null */
  async open(snippet, claim) {
    const key = `${snippet} ${claim}`;
    if (this.element.open && this.#shown === key) {
      return;
    }
    if (!this.element.open) {
      this.#opener = document.activeElement === document.body ? null : document.activeElement;
      if (BESIDE.matches) {
        this.element.show();
        document.body.classList.add("has-passage");
      } else {
        this.element.showModal();
      }
    }
    this.#shown = key;
    const mine = ++this.#asked;
    replace(this.body, this.#head("Passage", null), h("p.soft", {}, "Opening …"));
    try {
      const passage = await api.passage(this.#view.id, snippet);
      if (mine === this.#asked) {
        this.#draw(passage, claim);
      }
    } catch (refusal) {
      if (mine === this.#asked) {
        this.#refused(refusal, () => {
          this.#shown = "";
          this.open(snippet, claim);
        });
      }
    }
  }

  /** A server that is away comes back: then the passage opens by itself. */
  #refused(refusal, again) {
    const mine = this.#asked;
    replace(this.body, this.#head("Passage", null),
      refusalTrouble(refusal, refusal.passing ? again : null,
        refusal.passing ? "It opens by itself as soon as it can." : null),
      h("p", {}, h("button", { type: "button", onclick: () => this.leave() }, sign("left"), "Back to the report")));
    this.#focus();
    if (refusal.passing) {
      setTimeout(() => mine === this.#asked && this.element.open && again(), RETRY_MILLIS);
    }
  }

  #focus() {
    this.body.querySelector("#passage-title").focus({ preventScroll: true });
  }

  #head(title, citation) {
    return h("header.passage-head", {},
      h("div", {},
        citation && h("p.passage-number", {}, `Citation ${citation.number}`),
        h("h2", { id: "passage-title", tabindex: "-1", dir: "auto" }, title)),
      h("button.quiet.close", { type: "button", "aria-label": "Close the passage", onclick: () => this.leave() },
        sign("cross")));
  }

  #draw(passage, claim) {
    const citations = this.#view.episode()?.citations ?? [];
    const active = citations[claim]?.snippet_id === passage.snippet_id ? citations[claim] : null;
    const own = citations.map((citation, index) => ({ citation, index }))
      .filter(({ citation }) => citation.snippet_id === passage.snippet_id);
    const shown = active ?? own[0]?.citation ?? null;
    const marked = own.map(({ citation, index }) => ({
      quote: citation.quote, active: active === null || index === claim }));
    const found = places(passage.text, marked);
    replace(this.body,
      this.#head(passage.title || passage.document, shown),
      active && this.#claim(active),
      h("figure", {},
        h("blockquote.passage-text", { dir: "auto", tabindex: "0", role: "region", "aria-label": "Text of the passage" },
          this.#text(passage.text, found)),
        h("figcaption", {}, this.#facts(passage, own))),
      claim !== null && !citations[claim] && h("p.soft", {}, `The report has no claim ${claim + 1}.`),
      active && !found.some((p) => p.active) && h("p.soft", {},
        "No sentence is marked: nothing in the passage could be set beside this claim."),
      this.#steps(citations, claim));
    this.#mark(active ? claim : null);
    this.#focus();
    this.body.querySelector("mark.active, mark")?.scrollIntoView({ block: "nearest" });
  }

  #claim(citation) {
    const state = STATES[citation.state] ?? STATES.unchecked;
    return h("div.claim", { "data-state": citation.state },
      h("p.claim-label", {}, "The report says"),
      h("p", { dir: "auto" }, citation.claim),
      h("p.claim-state", {}, sign(state.sign), h("strong", {}, state.name), " ", state.about));
  }

  #text(text, found) {
    const parts = [];
    let at = 0;
    for (const place of found) {
      parts.push(text.slice(at, place.from),
        h("mark", { class: place.active ? "active" : null }, text.slice(place.from, place.to)));
      at = place.to;
    }
    return [...parts, text.slice(at)];
  }

  #facts(passage, own) {
    const web = /^https?:/i.test(passage.url);
    const query = this.#view.progress.passages.get(passage.snippet_id)?.query;
    const fact = (name, ...value) => h("div", {}, h("dt", {}, name), h("dd", { dir: "auto" }, ...value));
    return h("dl", {},
      fact("Document", passage.document),
      passage.position && fact("Position", passage.position),
      fact("Characters", `${passage.from.toLocaleString("en")} – ${passage.to.toLocaleString("en")}`),
      web && fact("Address", outside(passage.url, passage.url)),
      !web && passage.url && fact("Address", h("span.address", {}, passage.url), " ", this.#copy(passage.url)),
      query && fact("Found by", query),
      fact("Used", own.length === 0 ? "not cited in the report" : `for ${count(own.length, "claim")}`));
  }

  #copy(text) {
    return h("button.link", {
      type: "button",
      onclick: async () => say(await copyText(text) ? "The address was copied" : "It could not be copied"),
    }, "Copy");
  }

  #steps(citations, claim) {
    if (claim === null || !citations[claim]) {
      return null;
    }
    const label = (signName, name) => signName === "right" ? [name, sign(signName)] : [sign(signName), name];
    const to = (index, name, signName) => {
      const next = citations[index];
      return next
        ? h("button", { type: "button", onclick: () => this.#step(index) }, label(signName, name))
        : h("button", { type: "button", disabled: true }, label(signName, name));
    };
    return h("div.passage-steps", {},
      to(claim - 1, "Previous", "left"),
      h("span.soft", {}, `${claim + 1} of ${citations.length}`),
      to(claim + 1, "Next", "right"));
  }

  #step(index) {
    const citation = this.#view.episode().citations[index];
    this.#frame.go(sourcePath(this.#view.id, citation.snippet_id, index), {
      replacing: true, state: history.state ?? {},
    });
  }

  /** Shows in the report which number is open. */
  #mark(claim) {
    for (const cite of document.querySelectorAll(".cite[aria-current]")) {
      cite.removeAttribute("aria-current");
    }
    const cite = claim === null ? null : document.querySelector(`.cite[data-claim="${claim}"]`);
    cite?.setAttribute("aria-current", "true");
    if (cite && BESIDE.matches) {
      const place = cite.getBoundingClientRect();
      if (place.top < 80 || place.bottom > innerHeight - 40) {
        cite.scrollIntoView({ block: "center" });
      }
    }
  }
}
