/*
 * The frame of the page: which view stands at which address, theme, and what is said above views.
 * A view is a function that fills a place and returns what undoes it.
 */
import { replace, sign } from "./dom.js";
import { askView } from "./ask.js";
import { episodeView } from "./episode.js";
import { historyView } from "./history.js";
import { lostView } from "./trouble.js";

const place = document.getElementById("view");
let shown = { key: null, leave: () => {}, move: null };

const EPISODE = /^\/research\/(?!history\/?$)([^/]+)(?:\/source\/([^/]+))?\/?$/;

function route(url) {
  const episode = EPISODE.exec(url.pathname);
  if (episode) {
    const target = {
      id: decodeURIComponent(episode[1]),
      source: episode[2] ? decodeURIComponent(episode[2]) : null,
      claim: url.searchParams.has("claim") ? Number(url.searchParams.get("claim")) : null,
    };
    return { key: `episode ${target.id}`, nav: "", view: episodeView, target };
  }
  if (/^\/research\/history\/?$/.test(url.pathname)) {
    return { key: "history", nav: "history", view: historyView, target: url.searchParams };
  }
  if (url.pathname === "/") {
    const key = `ask ${url.searchParams.get("again") ?? ""}`;
    return { key, nav: "ask", view: askView, target: url.searchParams };
  }
  return { key: "lost", nav: "", view: lostView, target: url };
}

/** What views may do with the frame around them. */
const frame = {
  go(path, { replacing = false, state = {} } = {}) {
    history[replacing ? "replaceState" : "pushState"](state, "", path);
    show(!replacing);
  },
  notice(...children) {
    replace(document.getElementById("notice"), ...children);
  },
  title(text) {
    document.title = text ? `${text} · RubricEM` : "RubricEM";
  },
};

function show(moved) {
  const next = route(new URL(location.href));
  if (next.key === shown.key && shown.move) {
    shown.move(next.target);
    return;
  }
  shown.leave();
  frame.notice();
  frame.title("");
  replace(place);
  for (const link of document.querySelectorAll("[data-nav]")) {
    const current = link.dataset.nav === next.nav;
    link.toggleAttribute("aria-current", current);
    if (current) {
      link.setAttribute("aria-current", "page");
    }
  }
  const made = next.view(place, next.target, frame);
  shown = { key: next.key, leave: made.leave ?? (() => {}), move: made.move ?? null };
  if (moved) {
    scrollTo(0, 0);
    place.focus({ preventScroll: true });
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-link]");
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
  if (link && plain && !event.defaultPrevented) {
    event.preventDefault();
    follow(link);
  }
});
/** A passage is one step of the history however many are looked at: closing it is going back. */
function follow(link) {
  const passage = (path) => path.includes("/source/");
  const further = passage(link.pathname) && passage(location.pathname);
  frame.go(link.getAttribute("href"), {
    replacing: further,
    state: further ? history.state ?? {} : { inside: passage(link.pathname) },
  });
}

addEventListener("popstate", () => show(true));

const THEMES = { system: "light", light: "dark", dark: "system" };

function theme() {
  return document.documentElement.dataset.theme ?? "system";
}

function showTheme() {
  const names = { system: "as the system", light: "light", dark: "dark" };
  const signs = { system: "system", light: "sun", dark: "moon" };
  const button = document.getElementById("theme");
  const label = `Colours: ${names[theme()]}`;
  button.setAttribute("aria-label", label);
  button.title = label;
  replace(button, sign(signs[theme()]));
}

document.getElementById("theme").addEventListener("click", () => {
  const next = THEMES[theme()];
  if (next === "system") {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = next;
  }
  try {
    localStorage.setItem("theme", next);
  } catch {
    // then it holds until the page is left
  }
  showTheme();
});

showTheme();
show(false);
