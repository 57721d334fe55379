/* How numbers, times and states are put into words. */

export const STAGES = ["plan", "research", "review", "answer"];

export const FORMATS = {
  long_form: { name: "Report", about: "Several paragraphs with evidence for each claim" },
  short_form: { name: "Short answer", about: "A paragraph or two" },
  exact_answer: { name: "Exact answer", about: "A name, a number, a date" },
};

export const STATUSES = {
  queued: "Waiting",
  running: "Running",
  completed: "Done",
  failed: "Failed",
  cancelled: "Cancelled",
};

export const STATES = {
  supported: { sign: "check", name: "Supported", about: "The passage says this." },
  weak: { sign: "half", name: "Weak", about: "The passage says only part of this, or says it differently." },
  unchecked: { sign: "question", name: "Not checked", about: "Nobody compared this claim with the passage." },
};

export const CAUSES = {
  requested: "a reader asked to finish",
  tool_calls: "the number of searches was used up",
  seconds: "the time was used up",
  tokens: "the tokens were used up",
  cost: "the money was used up",
  turns: "the number of turns was used up",
  repeated_calls: "the same search was asked again and again",
  violations: "the model's turns could not be read",
  output_tokens: "the model's output limit cut the answer short",
};

const TOOLS = { local_search: "Searched the documents", web_search: "Searched the web", scholar_search: "Searched papers" };

export function toolDid(tool) {
  return TOOLS[tool] ?? `Called ${tool}`;
}

export const SOURCES = { corpus: "Your documents", web: "The web", scholar: "Scholarly papers" };

export function sourceName(source) {
  return SOURCES[source] ?? (source.startsWith("mcp:") ? `${source.slice(4)} (MCP)` : source);
}

export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** 1234 as 1.2k */
export function short(number) {
  return number < 1000 ? String(number)
    : `${(number / 1000).toLocaleString("en", { maximumFractionDigits: number < 10_000 ? 1 : 0 })}k`;
}

export function length(millis) {
  const seconds = Math.max(0, millis) / 1000;
  if (seconds < 9.95) {
    return `${seconds.toFixed(1)} s`;
  }
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  return minutes === 0 ? `${whole} s`
    : minutes < 60 ? `${minutes} min ${whole % 60} s`
      : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Whole seconds, for a clock that ticks. */
export function ticking(millis) {
  const whole = Math.max(0, Math.floor(millis / 1000));
  const two = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  return `${hours > 0 ? `${hours}:` : ""}${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

export function moment(iso) {
  return new Date(iso).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}

/** Today, Yesterday, or the date. */
export function day(iso, now = new Date()) {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const days = Math.ceil((midnight - Date.parse(iso)) / 86_400_000);
  return days <= 0 ? "Today" : days === 1 ? "Yesterday"
    : new Date(iso).toLocaleDateString("en", { weekday: "long", day: "numeric", month: "long", year: "numeric" });
}

export function ago(iso, now = Date.now()) {
  const seconds = Math.round((now - Date.parse(iso)) / 1000);
  if (seconds < 45) {
    return "just now";
  }
  const steps = [[60, "minute"], [3600, "hour"], [86_400, "day"]];
  const step = steps.findLast(([size]) => seconds >= size) ?? steps[0];
  if (seconds > 7 * 86_400) {
    return new Date(iso).toLocaleDateString("en", { dateStyle: "medium" });
  }
  return `${count(Math.max(1, Math.round(seconds / step[0])), step[1])} ago`;
}

/** A question as a title: its first line, cut at a word where it is long. */
export function title(question) {
  const line = question.trim().split("\n", 1)[0].replace(/\s+/g, " ");
  const letters = [...line];
  if (letters.length <= 160) {
    return line;
  }
  const cut = letters.slice(0, 160).join("");
  const blank = cut.lastIndexOf(" ");
  return `${blank > 80 ? cut.slice(0, blank) : letters.slice(0, 70).join("")} …`;
}
