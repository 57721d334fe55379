/* The HTTP API, as far as the page needs it. */

const ROOT = "/v1/research";

/** How long an ordinary answer may take. Reports get more: a PDF is laid out for each reader. */
const PATIENCE_MILLIS = 20_000;

/** Why a request brought nothing: a problem of the server (RFC 9457), or a server that is away. */
export class Refusal extends Error {
  constructor(status, title, detail, retryAfter = 0, type = "") {
    super(detail || title);
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.retryAfter = retryAfter;
    this.type = type;
  }

  get away() {
    return this.status === 0;
  }

  /** Whether it is there and has no room for one more reader. */
  get crowded() {
    return this.status === 503 && this.type.endsWith(":not-ready");
  }

  /** Whether the same request may succeed a little later. */
  get passing() {
    return this.away || this.status === 429 || this.status === 503;
  }
}

/** The page names its questions by keys of its own; a reader knows of none. */
const inReadersWords = (detail) => detail.replace(/ with the same Idempotency-Key/g, "");

async function refusal(response) {
  const retryAfter = Number(response.headers.get("Retry-After")) || 0;
  try {
    const problem = await response.json();
    return new Refusal(
      response.status, problem.title ?? `The server answered ${response.status}`,
      inReadersWords(problem.detail ?? ""), retryAfter, problem.type ?? "");
  } catch {
    return new Refusal(response.status, `The server answered ${response.status}`, "", retryAfter);
  }
}

/** How far the server's clock is ahead; seconds are all it says, so less than two is nothing. */
let ahead = 0;

export const now = () => Date.now() + ahead;

function compareClocks(response) {
  const said = Date.parse(response.headers.get("Date") ?? "");
  const difference = said - Date.now();
  ahead = Math.abs(difference) > 2_000 ? difference : 0;
}

async function ask(path, options = {}) {
  let response;
  try {
    response = await fetch(path, { signal: AbortSignal.timeout(PATIENCE_MILLIS), ...options });
  } catch {
    throw new Refusal(0, "The server cannot be reached", "It may be starting again. Nothing is lost: what runs goes on by itself.");
  }
  compareClocks(response);
  if (!response.ok) {
    throw await refusal(response);
  }
  return response;
}

async function json(path, options) {
  return (await ask(path, options)).json();
}

export const offer = () => json("/offer.json");

export const ready = () => json("/health/ready");

export const episode = (id) => json(`${ROOT}/${encodeURIComponent(id)}`);

export const passage = (id, snippet) =>
  json(`${ROOT}/${encodeURIComponent(id)}/sources/${encodeURIComponent(snippet)}`);

export function list({ q = "", status = "", cursor = "", limit = 20 }) {
  const query = new URLSearchParams({ limit });
  for (const [name, value] of Object.entries({ q, status, cursor })) {
    if (value) {
      query.set(name, value);
    }
  }
  return json(`${ROOT}?${query}`);
}

export const start = (body, key) =>
  json(ROOT, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": key },
    body: JSON.stringify(body),
  });

export const command = (id, name) =>
  json(`${ROOT}/${encodeURIComponent(id)}/${name}`, { method: "POST" });

export const reportPath = (id, format) =>
  `${ROOT}/${encodeURIComponent(id)}/report?format=${format}`;

export const report = async (id, format) => (await ask(reportPath(id, format))).text();

export const eventsPath = (id, after) =>
  `${ROOT}/${encodeURIComponent(id)}/events?progress=true&after=${after}`;

/** Why no events come: what the server says, or null where it would give them now. */
export async function eventsRefusal(id, after) {
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), PATIENCE_MILLIS);
  try {
    await ask(eventsPath(id, after), { signal: stop.signal });
    return null;
  } catch (refusal) {
    return refusal;
  } finally {
    clearTimeout(late);
    stop.abort(); // it is not read: the place is wanted for the stream itself
  }
}
