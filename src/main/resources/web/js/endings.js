/* Every way an episode can end, and every way one can fail to begin: what happened, what to do next. */
import { CAUSES, count } from "./words.js";

/** By kind of failure: what happened, and what helps. */
const FAILURES = {
  auth: ["The model server refused the key", "Set the right key where RubricEM runs, then ask again."],
  quota: ["The account at the model server is used up", "Fill it up or choose another model, then ask again."],
  rate_limit: ["The model server was asked too often", "Wait a few minutes, then ask again."],
  connect: ["The model server could not be reached", "See that it runs and that its address is right, then ask again."],
  unavailable: ["The model server was not available", "Ask again when it is back."],
  timeout: ["The model server took too long", "It may be overloaded: ask again later, or choose a faster model."],
  stalled: ["The model server fell silent in the middle", "Ask again; if it happens again, its own log says why."],
  server_error: ["The model server failed", "Its own log says why. Ask again when that is mended."],
  protocol: ["The model server speaks another language than expected", "See that its address is that of an OpenAI-compatible API."],
  bad_request: ["The model server refused the request", "Choose a model that it knows, or settings that the model takes."],
  context_too_long: ["This is too long for the model", "Ask a shorter question, or choose a model with more room."],
  filtered: ["A filter of the model server held the text back", "Other words may pass it, or another model."],
  unknown_policy: ["The model it was asked of is not known here", "Choose one that this server offers, then ask again."],
  truncated_call: ["The model's output limit cut every search off", "Choose a model with a larger output limit."],
  no_answer: ["No answer was written that can be read", "Another model may keep to the form better."],
  search_failed: ["No search came back with a result", "So nothing can be said about what exists. Ask again when the search works."],
  nothing_searched: ["It was ended before anything had been searched", "So nothing can be said about what exists. Ask again and let one search come back."],
  deadline: ["The time was used up before the answer was written", "Allow more seconds, then ask again."],
  defect: ["RubricEM itself failed", "It is a fault of the program, not of your question; the log of the server has the details."],
};
const FAILED = ["The research failed", "Ask again; if it happens again, the log of the server has the details."];

/** By limit: what gives more. */
const MORE = {
  tool_calls: "Allow more searches to find more.",
  seconds: "Allow more seconds to find more.",
  tokens: "Allow more tokens, or ask a narrower question.",
  cost: "Allow more money, or choose a cheaper model.",
  turns: "A narrower question needs fewer.",
  repeated_calls: "Asked in other words, it may find more.",
  violations: "Another model may keep to the form better.",
  output_tokens: "Choose a shorter form, or a model that writes more.",
};

/** By status of a refused start; the question stays in the box whatever happens. */
const STARTS = {
  0: "Your question is kept here. However often you try, it is researched once.",
  400: "Change what it names, then ask again. Your question is kept here.",
  401: "This server wants to know who asks. Your question is kept here.",
  403: "This server does not take questions from here. Your question is kept here.",
  413: "Shorten it, then ask again. Your question is kept here.",
  422: "Something else was asked under the same key. Ask again to send it anew.",
  429: "Your question is kept here. Try again when another research has ended.",
  503: "Your question is kept here. It can be asked as soon as the server is ready.",
};
const START = "Your question is kept here. Ask again; if it happens again, the log of the server has the details.";

export const startNext = (refusal) => STARTS[refusal.status] ?? START;

export const failureTitle = (kind) => (FAILURES[kind] ?? FAILED)[0];

function kept(episode) {
  const found = episode.sources.length;
  return found === 0 ? "Nothing had been found yet."
    : `${count(found, "passage")} had been found until then and ${found === 1 ? "is" : "are"} kept below.`;
}

/** Why there is no report; null where there is one. */
export function ending(episode) {
  if (episode.status === "failed") {
    const [title, next] = FAILURES[episode.error?.kind] ?? FAILED;
    return {
      sign: "warn", kind: "failed", title, detail: sentence(episode.error?.message ?? ""), kept: kept(episode),
      next, again: "Ask again",
    };
  }
  if (episode.status === "cancelled") {
    return {
      sign: "stop", kind: "none", title: "This research was cancelled",
      detail: "It was stopped before a report was written.", kept: kept(episode),
      next: "Ask again to begin anew. Next time, “Finish now” ends it early and still writes a report.", again: "Ask again",
    };
  }
  return episode.outcome === "no_evidence" ? nothing(episode) : null;
}

function nothing(episode) {
  const searches = episode.usage.tool_calls;
  if (searches === 0) {
    return {
      sign: "search", kind: "none", title: "Nothing was searched, so nothing is claimed",
      detail: "The model wrote its answer without a single search, so nothing stands behind it.",
      next: "Ask again, or have another model answer.", again: "Ask again",
    };
  }
  const found = episode.sources.length;
  const early = episode.finish_cause ? ` The search ended early: ${CAUSES[episode.finish_cause] ?? "a limit was reached"}.` : "";
  return {
    sign: "search", kind: "none", title: "Nothing that was searched answers this question",
    detail: (found === 0
      ? `${count(searches, "search", "searches")} brought back nothing, so nothing is claimed.`
      : `${count(found, "passage")} ${found === 1 ? "was" : "were"} read and none carries an answer, so nothing is claimed.`) + early,
    next: "Other words may help, or documents that speak of it.", again: "Ask in other words",
  };
}

/** What is said above a report that stands on less than was wanted. */
export function remarks(episode) {
  const out = [];
  const cause = episode.finish_cause;
  if (cause === "requested") {
    out.push(["flag", `Ended early by a reader: written from ${count(episode.sources.length, "passage")} found until then.`]);
  } else if (cause || episode.outcome === "limit_reached") {
    out.push(["flag", `Written before the research was complete: ${CAUSES[cause] ?? "a limit was reached"}. ${MORE[cause] ?? ""}`]);
  }
  const removed = episode.citation_check.removed;
  if (removed > 0) {
    out.push(["warn", `${count(removed, "reference or link", "references or links")} removed: nothing retrieved stands behind ${removed === 1 ? "it" : "them"}.`]);
  }
  return out;
}

/** Messages of services come with and without capital and full stop. */
function sentence(text) {
  const bare = text.trim();
  return bare === "" ? "" : bare[0].toUpperCase() + bare.slice(1) + (/[.!?…。]$/.test(bare) ? "" : ".");
}
