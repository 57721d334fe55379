/*
 * A look at the passage behind a number without leaving the line: what the passage says and how far
 * that carries the claim. All of it also stands in the passage and the references, so screen readers
 * are spared it; Escape sends it away.
 */
import { h, replace, sign } from "./dom.js";
import { STATES } from "./words.js";

const REST_MILLIS = 160;
const LEAVE_MILLIS = 220;
const GAP = 8;

export class Glance {
  #citations;
  #timer = 0;
  #at = null;

  /** @param citations gives those of the report that is shown */
  constructor(place, citations) {
    this.#citations = citations;
    this.card = h("div.glance", { hidden: true, "aria-hidden": "true" });
    document.body.append(this.card);
    const cite = (event) => event.target.closest?.(".cite");
    place.addEventListener("mouseover", (event) => cite(event) && this.#soon(cite(event)));
    place.addEventListener("mouseout", (event) => cite(event) && this.#later());
    place.addEventListener("focusin", (event) => {
      const at = cite(event);
      if (at?.matches(":focus-visible")) {
        this.#show(at);
      } else {
        this.hide();
      }
    });
    place.addEventListener("focusout", (event) => cite(event) && this.#later());
    place.addEventListener("click", () => this.hide());
    this.card.addEventListener("mouseenter", () => clearTimeout(this.#timer));
    this.card.addEventListener("mouseleave", () => this.#later());
    this.away = new AbortController();
    const { signal } = this.away;
    addEventListener("scroll", () => this.card.hidden || this.hide(), { signal, passive: true });
    addEventListener("keydown", (event) => event.key === "Escape" && this.hide(), { signal });
  }

  leave() {
    clearTimeout(this.#timer);
    this.away.abort();
    this.card.remove();
  }

  #soon(cite) {
    clearTimeout(this.#timer);
    if (cite !== this.#at) {
      this.#timer = setTimeout(() => this.#show(cite), REST_MILLIS);
    }
  }

  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.hide(), LEAVE_MILLIS);
  }

  hide() {
    clearTimeout(this.#timer);
    this.#at = null;
    this.card.hidden = true;
  }

  #show(cite) {
    clearTimeout(this.#timer);
    const citation = this.#citations()[Number(cite.dataset.claim)];
    if (!citation || !cite.isConnected) {
      return;
    }
    const state = STATES[citation.state] ?? STATES.unchecked;
    replace(this.card,
      h("p.glance-title", { dir: "auto" }, citation.title),
      citation.quote && h("p.glance-quote", { dir: "auto" }, `“${citation.quote}”`),
      h("p.glance-state", { "data-state": citation.state }, sign(state.sign), h("strong", {}, state.name), " ", state.about));
    this.card.hidden = false;
    this.#at = cite;
    this.#place(cite.getBoundingClientRect());
  }

  /** Above the number where there is room, else below, and never out of the window. */
  #place(box) {
    const { offsetWidth: width, offsetHeight: height } = this.card;
    const left = Math.max(GAP, Math.min(innerWidth - width - GAP, box.left + box.width / 2 - width / 2));
    const above = box.top - height - GAP;
    this.card.style.left = `${left}px`;
    this.card.style.top = `${above > 64 ? above : box.bottom + GAP}px`;
  }
}
