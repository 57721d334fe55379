/*
 * One sending of a question. Its key is kept until the server has answered, so that a double click,
 * a reload in the middle or a second try after a lost answer starts one episode, never two.
 */
import { start } from "./api.js";

const PLACE = "submission";

function stored() {
  try {
    return JSON.parse(sessionStorage.getItem(PLACE));
  } catch {
    return null;
  }
}

function store(value) {
  try {
    if (value === null) {
      sessionStorage.removeItem(PLACE);
    } else {
      sessionStorage.setItem(PLACE, JSON.stringify(value));
    }
  } catch {
    // a browser that keeps nothing still has the key of this page
  }
}

let unanswered = stored();
let underWay = null;

function newKey() {
  const random = crypto.getRandomValues(new Uint8Array(16));
  return `page-${Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** What was sent before this page was loaded and never answered; null if nothing was. */
export const leftOver = () => unanswered?.body ?? null;

export function forget() {
  unanswered = null;
  store(null);
}

/** Sends a question; while it is under way, sending again only waits for the same answer. */
export function submit(body) {
  underWay ??= send(body).finally(() => {
    underWay = null;
  });
  return underWay;
}

async function send(body) {
  if (JSON.stringify(unanswered?.body) !== JSON.stringify(body)) {
    unanswered = { key: newKey(), body };
    store(unanswered);
  }
  try {
    const episode = await start(body, unanswered.key);
    forget();
    return episode;
  } catch (refusal) {
    // refused for good: the next sending is another one
    if (!refusal.passing) {
      forget();
    }
    throw refusal;
  }
}
