/*
 * Builds elements. Text goes in as text nodes and nothing else, so whatever a document, a question
 * or a model holds is shown and never run.
 */

/** @param children texts, nodes, arrays of them; null, undefined and false are left out */
export function h(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag || "div");
  if (classes.length > 0) {
    element.className = classes.join(" ");
  }
  for (const [key, value] of Object.entries(attributes)) {
    set(element, key, value);
  }
  element.append(...flat(children));
  return element;
}

function set(element, key, value) {
  if (value === null || value === undefined || value === false) {
    return;
  }
  if (key.startsWith("on")) {
    element.addEventListener(key.slice(2), value);
  } else if (key === "value" || key === "checked" || key === "open") {
    element[key] = value;
  } else {
    element.setAttribute(key, value === true ? "" : value);
  }
}

function flat(children) {
  return children.flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}

export function replace(element, ...children) {
  element.replaceChildren(...flat(children));
  return element;
}

const SHAPES = {
  check: "M4 12.5l5 5L20 6.5",
  cross: "M6 6l12 12M18 6L6 18",
  half: "M4 13c3-5 5 4 8 0s5-5 8 0",
  dash: "M6 12h12",
  question: "M9 9a3 3 0 1 1 4.2 2.7c-1 .5-1.2 1-1.2 2.3m0 3v.5",
  search: "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14m5.2 12.2L21 21",
  pen: "M4 20l1-5L16 4l4 4L9 19l-5 1",
  list: "M9 6h11M9 12h11M9 18h11M4.5 6v.1M4.5 12v.1M4.5 18v.1",
  clock: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18m0 4.5V12l3 2",
  warn: "M12 4l9 16H3L12 4m0 6v5m0 2.5v.1",
  stop: "M6 6h12v12H6z",
  flag: "M5 21V4h13l-3 4.5 3 4.5H5",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  left: "M15 5l-7 7 7 7",
  right: "M9 5l7 7-7 7",
  again: "M20 12a8 8 0 1 1-2.5-5.8M20 3v5h-5",
  down: "M12 4v11m-5-5l5 5 5-5M5 20h14",
  out: "M10 5H5v14h14v-5M14 4h6v6m0-6l-9 9",
  sun: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8m0-6v2m0 16v2M2 12h2m16 0h2M5 5l1.5 1.5m11 11L19 19M5 19l1.5-1.5m11-11L19 5",
  moon: "M20 14a8 8 0 1 1-9-10 6.5 6.5 0 0 0 9 10",
  system: "M3 5h18v11H3zM8 20h8m-4-4v4",
};

/** A sign beside words: screen readers pass over it. */
export function sign(name) {
  const ns = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(ns, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `sign sign-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(ns, "path");
  path.setAttribute("d", SHAPES[name]);
  svg.append(path);
  return svg;
}

let saying = 0;

/** Tells screen readers something, politely; the newest wins. */
export function say(text) {
  const place = document.getElementById("says");
  clearTimeout(saying);
  // a text that does not change would not be read again
  place.textContent = "";
  saying = setTimeout(() => {
    place.textContent = text;
  }, 60);
}

/** Puts a text on the clipboard; false where the browser does not let us. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = h("textarea.unseen", { value: text, readonly: true, "aria-hidden": "true" });
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
