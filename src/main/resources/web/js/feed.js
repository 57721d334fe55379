import { eventsPath, eventsRefusal } from "./api.js";

/** Names of stored events; a stream says which one comes. */
const STORED = [
  "episode_started", "policy_call_requested", "policy_turn_generated", "policy_call_failed",
  "turn_rejected", "violations_tolerated", "tool_call_requested", "tool_call_completed",
  "tool_call_refused", "tool_call_failed", "tool_call_served", "call_retried", "call_repeated",
  "finish_begun", "citation_check_requested", "citations_checked", "episode_completed",
  "episode_failed", "episode_cancelled", "episode_resumed",
];
const PASSING = ["text_generated", "turn_restarted", "waiting", "stage_entered"];
const TERMINAL = new Set(["episode_completed", "episode_failed", "episode_cancelled"]);

const FIRST_WAIT_MILLIS = 500;
const LONGEST_WAIT_MILLIS = 8_000;

/** A connection that is back sooner than this is not worth a word. */
const CALM_MILLIS = 1_200;

/** A page out of sight this long may sit on a connection that died unnoticed, as after a sleep. */
const STALE_MILLIS = 60_000;

/**
 * The events of one episode, each exactly once and in order, whatever happens to connection and
 * server: it comes back with the number of the last event it has, and passes over what it has seen.
 * It does its own coming back, because a browser gives up for ever at the first refusal.
 */
export class Feed {
  #id;
  #heard;
  #last = 0;
  #source = null;
  #timer = 0;
  #away = 0;
  #told = false;
  #wait = FIRST_WAIT_MILLIS;
  #closed = false;
  #hiddenAt = 0;

  /** @param heard { stored(event), passing(kind, news), connection(isThere, refusal), ended() } */
  constructor(id, heard) {
    this.#id = id;
    this.#heard = heard;
    this.#open();
    addEventListener("online", this.#atOnce);
    document.addEventListener("visibilitychange", this.#atOnce);
  }

  close() {
    this.#closed = true;
    this.#drop();
    clearTimeout(this.#away);
    removeEventListener("online", this.#atOnce);
    document.removeEventListener("visibilitychange", this.#atOnce);
  }

  #atOnce = () => {
    if (document.visibilityState === "hidden") {
      this.#hiddenAt = Date.now();
      return;
    }
    const stale = this.#hiddenAt > 0 && Date.now() - this.#hiddenAt > STALE_MILLIS;
    this.#hiddenAt = 0;
    if (!this.#closed && (this.#source === null || stale)) {
      this.#wait = FIRST_WAIT_MILLIS;
      clearTimeout(this.#timer);
      this.#open();
    }
  };

  #drop() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #open() {
    this.#drop();
    const source = new EventSource(eventsPath(this.#id, this.#last));
    this.#source = source;
    source.onopen = () => this.#there();
    source.onerror = () => this.#gone();
    for (const kind of STORED) {
      source.addEventListener(kind, (message) => this.#stored(JSON.parse(message.data)));
    }
    for (const kind of PASSING) {
      source.addEventListener(kind, (message) =>
        this.#heard.passing(kind, JSON.parse(message.data)));
    }
  }

  #stored(event) {
    if (event.sequence <= this.#last) {
      return;
    }
    this.#last = event.sequence;
    this.#heard.stored(event);
    if (TERMINAL.has(event.kind)) {
      this.close();
      this.#heard.ended(event);
    }
  }

  #there() {
    clearTimeout(this.#away);
    this.#away = 0;
    this.#told = false;
    this.#wait = FIRST_WAIT_MILLIS;
    this.#heard.connection(true);
  }

  #gone() {
    if (this.#closed) {
      return;
    }
    this.#drop();
    if (this.#told) {
      this.#tell();
    }
    this.#away ||= setTimeout(() => this.#tell(), CALM_MILLIS);
    this.#timer = setTimeout(() => this.#open(), this.#wait);
    this.#wait = Math.min(LONGEST_WAIT_MILLIS, this.#wait * 2);
  }

  /** An event source never says why it got nothing: a full server is told from one that is away. */
  async #tell() {
    const away = this.#away;
    this.#told = true;
    const refusal = await eventsRefusal(this.#id, this.#last);
    if (!this.#closed && this.#away === away && refusal) {
      this.#heard.connection(false, refusal);
    }
  }
}
