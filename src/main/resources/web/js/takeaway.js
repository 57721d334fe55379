/* What a reader takes along: the report in other forms, and its link. */
import { copyText, h, replace, say, sign } from "./dom.js";
import * as api from "./api.js";

const SHOWN_MILLIS = 2_000;

document.addEventListener("pointerdown", (event) => {
  for (const menu of document.querySelectorAll(".menu[open]")) {
    menu.open = menu.contains(event.target);
  }
});

export function copyLink(id) {
  return h("button.quiet", {
    type: "button", onclick: async (event) => {
      const button = event.currentTarget;
      const done = await copyText(`${location.origin}/research/${id}`);
      say(done ? "The link was copied" : "The link could not be copied");
      replace(button, sign(done ? "check" : "warn"), done ? "Copied" : "Not copied");
      setTimeout(() => replace(button, sign("copy"), "Copy link"), SHOWN_MILLIS);
    },
  }, sign("copy"), "Copy link");
}

/** @param onRefusal told why the report could not be fetched */
export function exportMenu(id, onRefusal) {
  const summary = h("summary.button.quiet", {}, sign("down"), "Export");
  const close = (focus) => {
    menu.open = false;
    if (focus) {
      summary.focus();
    }
  };
  const copy = async () => {
    try {
      const done = await copyText(await api.report(id, "markdown"));
      say(done ? "The report was copied" : "The report could not be copied");
    } catch (refusal) {
      onRefusal(refusal);
    }
    close(true);
  };
  const link = (format, name, ending) => h("li", {}, h("a", {
    href: api.reportPath(id, format), download: `rubricem-${id}.${ending}`,
  }, name));
  const menu = h("details.menu", {
    onkeydown: (event) => event.key === "Escape" && close(true),
    onfocusout: (event) => event.relatedTarget && !menu.contains(event.relatedTarget) && close(false),
  },
  summary,
  h("ul", {},
    link("markdown", "Markdown", "md"), link("html", "HTML", "html"),
    link("pdf", "PDF", "pdf"), link("json", "JSON", "json"),
    h("li", {}, h("button.link", { type: "button", onclick: copy }, "Copy as Markdown"))));
  return menu;
}
