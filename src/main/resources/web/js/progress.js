/*
 * What the events of an episode say, folded into what the page shows: entries of a timeline, stage,
 * figures. The same events give the same state however they came: live, after a reload, in pieces.
 */
import { failureTitle } from "./endings.js";
import { STAGES } from "./words.js";

/** Characters of a turn in the making that are kept to look at. */
const LIVE_MAX = 4_000;

/** The kind of failure by which a call is given up because somebody wants the answer now. */
const STOPPED = "stopped";

export class Progress {
  entries = [];
  stage = "plan";
  request = null;
  searched = null;
  usage = { prompt: 0, completion: 0, cost: 0, models: 0, tools: 0 };
  passages = new Map();
  finishing = null;
  ended = null;
  startedAt = null;
  waiting = null;
  live = { call: "", text: "" };
  #byKey = new Map();

  /** A stored event, in order. */
  stored(event) {
    this.startedAt ??= event.at;
    this.waiting = null;
    this[`on_${event.kind}`]?.(event);
  }

  /** What is only there to look at. */
  passing(kind, news) {
    if (kind === "text_generated") {
      const before = this.live.call === news.call_id ? this.live.text : "";
      this.live = { call: news.call_id, text: (before + news.text).slice(-LIVE_MAX) };
      if (/<answer>/.test(this.live.text)) {
        this.#enter("answer");
      } else if (/<review>/.test(this.live.text)) {
        this.#enter("review");
      }
    } else if (kind === "turn_restarted") {
      this.live = { call: news.call_id, text: "" };
    } else if (kind === "stage_entered") {
      this.#enter(news.stage);
    } else if (kind === "waiting") {
      this.waiting = news;
    }
  }

  /** @param stage as the server tells it; a stage is never left backwards */
  shown(stage) {
    this.#enter(stage);
  }

  #enter(stage) {
    if (STAGES.indexOf(stage) > STAGES.indexOf(this.stage)) {
      this.stage = stage;
    }
  }

  #entry(key, fresh) {
    let entry = this.#byKey.get(key);
    if (!entry) {
      entry = { key, version: 0, tries: [], ...fresh };
      this.#byKey.set(key, entry);
      this.entries.push(entry);
    }
    entry.version++;
    return entry;
  }

  #known(key) {
    return this.#entry(key, { type: "note", text: "" });
  }

  #note(event, sign, text) {
    this.#entry(`note ${event.sequence}`, { type: "note", sign, text, at: event.at });
  }

  on_episode_started(event) {
    this.request = event.request;
  }

  on_policy_call_requested(event) {
    this.usage.models++;
    this.#entry(event.call_id, { type: "turn", at: event.at });
  }

  on_policy_turn_generated(event) {
    const entry = this.#entry(event.call_id, { type: "turn", at: event.at });
    entry.doneAt = event.at;
    entry.turn = turn(event.text);
    entry.tokens = (event.usage.prompt_tokens ?? 0) + (event.usage.completion_tokens ?? 0);
    entry.first = !this.entries.some((e) => e !== entry && e.turn);
    this.usage.prompt += event.usage.prompt_tokens ?? 0;
    this.usage.completion += event.usage.completion_tokens ?? 0;
    this.usage.cost += event.usage.cost_usd ?? 0;
    this.live = { call: "", text: "" };
    this.#enter(entry.turn.answers ? "answer" : "research");
  }

  on_policy_call_failed(event) {
    this.#failed(event);
  }

  on_tool_call_failed(event) {
    this.#failed(event);
  }

  #failed(event) {
    const entry = this.#known(event.call_id);
    if (event.failure.kind === STOPPED) {
      // nobody's fault: it was in the way of an answer that is wanted now
      entry.cut = "ended";
    } else {
      entry.tries.push({ message: event.failure.message, retryAt: event.retry_at ?? null });
    }
    if (!event.retry_at) {
      entry.doneAt = event.at;
      entry.failed = entry.cut === undefined;
    }
    this.live = { call: "", text: "" };
  }

  on_turn_rejected(event) {
    this.#note(event, "warn", `The turn could not be carried out (${event.violations.join(", ")}); the model was told and writes it again.`);
  }

  on_tool_call_requested(event) {
    this.usage.tools++;
    this.#enter("research");
    this.#entry(event.call_id, {
      type: "tool", at: event.at, tool: event.call.tool, query: event.call.query,
      before: this.#asked(event.call),
    });
  }

  /** Whether the same search stands in the timeline already. */
  #asked(call) {
    return this.entries.some((e) => e.type === "tool" && e.tool === call.tool && e.query === call.query);
  }

  on_tool_call_completed(event) {
    const entry = this.#known(event.call_id);
    entry.doneAt = event.at;
    entry.found = event.shown;
    this.searched = event.searched;
    entry.notes = event.notes;
    entry.suspicions = event.suspicions;
    entry.fresh = event.snippets.map((snippet) => snippet.id);
    for (const snippet of event.snippets) {
      this.passages.set(snippet.id, {
        id: snippet.id, title: snippet.passage.title || snippet.passage.document,
        query: entry.query ?? "",
      });
    }
  }

  on_tool_call_refused(event) {
    const entry = this.#known(event.call_id);
    entry.doneAt = event.at;
    entry.refused = event.reason;
  }

  on_tool_call_served(event) {
    // a policy that asks the same over and over takes turns in between, which say nothing new
    const last = this.entries.findLast((e) => e.type !== "turn");
    if (last?.type === "served") {
      last.times++;
      last.version++;
      return;
    }
    this.#entry(event.call_id, { type: "served", at: event.at, doneAt: event.at, times: 1 });
  }

  on_call_repeated(event) {
    this.#note(event, "again", "The server was started again; the call that was under way was repeated.");
  }

  on_finish_begun(event) {
    this.finishing = event.cause;
    this.#entry("finish", { type: "finish", at: event.at, cause: event.cause });
  }

  on_citation_check_requested(event) {
    this.#enter("answer");
    this.#entry(event.call_id, { type: "check", at: event.at });
  }

  on_citations_checked(event) {
    const entry = this.#known(event.call_id);
    entry.doneAt = event.at;
    entry.verdicts = event.verdicts.map((verdict) => verdict.score.state);
  }

  on_episode_completed(event) {
    this.ended = event;
    this.#enter("answer");
  }

  on_episode_failed(event) {
    this.ended = event;
    this.#cut("ended");
    this.#note(event, "warn", `${failureTitle(event.error)}.`);
  }

  on_episode_cancelled(event) {
    this.ended = event;
    this.#cut("cancelled");
    this.#note(event, "stop", "Cancelled.");
  }

  /** What was under way when it all ended. */
  #cut(how) {
    for (const entry of this.entries) {
      if (!entry.doneAt && ["turn", "tool", "check"].includes(entry.type)) {
        entry.cut = how;
        entry.version++;
      }
    }
  }

  on_episode_resumed(event) {
    this.ended = null;
    this.#note(event, "again", `Taken up again with ${event.policy}.`);
  }
}

/** The parts of a turn that people may want to read. */
export function turn(text) {
  const part = (name) =>
    new RegExp(`<${name}>([\\s\\S]*?)(?:</${name}>|$)`).exec(text)?.[1].trim() ?? "";
  return {
    thinking: part("think"),
    analysis: part("deep_analysis"),
    steps: part("research_plan"),
    plans: text.includes("<structured_plan>"),
    evaluation: part("state_evaluation"),
    writing: part("writing_plan"),
    answers: text.includes("<answer>"),
  };
}
