/* What is shown where something did not work: what happened, and what to do. */
import { h, sign } from "./dom.js";

/** @param actions buttons and links */
export function trouble({ kind = "warn", signName = null, title, detail, more = null, actions = [] }) {
  return h("section.trouble", { "data-kind": kind },
    h("h2", {}, sign(signName ?? (kind === "none" ? "search" : "warn")), title),
    detail && h("p", { dir: "auto" }, detail),
    more,
    actions.length > 0 && h("p.actions", {}, actions));
}

/** @param next what to do about it, or null */
export function refusalTrouble(refusal, again, next = null) {
  return trouble({
    title: refusal.title ?? "Something went wrong on this page",
    detail: refusal.status === undefined ? String(refusal) : refusal.detail,
    more: next && h("p.next", {}, next),
    actions: again
      ? [h("button", { type: "button", onclick: again }, sign("again"), "Try again")]
      : [],
  });
}

export function lostView(place, target, frame) {
  frame.title("Not found");
  place.append(
    h("div.narrow", {},
      h("h1", {}, "There is nothing here"),
      h("p", {}, "No view of this page has the address ", h("code", {}, target.pathname), "."),
      h("p.actions", {},
        h("a.button", { href: "/", "data-link": true }, "Ask a question"),
        h("a.button.quiet", { href: "/research/history", "data-link": true }, "Look into the history"))));
  return {};
}
