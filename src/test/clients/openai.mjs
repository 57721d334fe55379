// The official Node library, unchanged: what it does by itself must work against the door.
import assert from 'node:assert/strict';
import test from 'node:test';
import OpenAI from 'openai';

const client = new OpenAI({ baseURL: `${process.env.RUBRICEM}/v1`, apiKey: 'k' });
const model = 'rubricem';
const question = 'When does the spring tide come?';
const asked = (n) => [{ role: 'user', content: `${question} (${n})` }];

// as Python cuts: by code points
const cut = (text, start, end) => [...text].slice(start, end).join('');

test('models', async () => {
  const names = [];
  for await (const one of client.models.list()) names.push(one.id);
  assert.equal(names[0], model);
});

test('chat.completions', async () => {
  const answer = await client.chat.completions.create({ model, messages: asked(1) });
  const { content, annotations } = answer.choices[0].message;
  assert.ok(content.includes('sun and moon stand in one line'));
  const { start_index, end_index, url } = annotations[0].url_citation;
  assert.ok(cut(content, start_index, end_index).endsWith('stand in one line.'));
  assert.match(url, /spring\.txt$/);
});

test('chat.completions as a stream, with the helper', async () => {
  const stream = client.chat.completions.stream({ model, messages: asked(2) });
  let chunks = 0;
  for await (const chunk of stream) chunks += chunk.choices.length;
  const whole = await stream.finalChatCompletion();
  assert.ok(chunks > 2);
  assert.equal(whole.choices[0].finish_reason, 'stop');
  assert.ok(whole.choices[0].message.content.includes('sun and moon'));
});

test('responses.create', async () => {
  const answer = await client.responses.create({ model, input: `${question} (3)` });
  assert.equal(answer.status, 'completed');
  const part = answer.output.at(-1).content[0];
  assert.equal(answer.output_text, part.text);
  const { start_index, end_index } = part.annotations[0];
  assert.ok(cut(part.text, start_index, end_index).endsWith('stand in one line.'));
});

test('responses.stream, with the helper', async () => {
  const stream = client.responses.stream({ model, input: `${question} (4)` });
  const types = new Set();
  for await (const event of stream) types.add(event.type);
  const answer = await stream.finalResponse();
  assert.equal(answer.status, 'completed');
  assert.ok(answer.output_text.includes('sun and moon'));
  assert.ok(types.has('response.file_search_call.completed'));
});

test('background, and going on with its stream', async () => {
  const instructions = 'Be brief.';
  const begun = await client.responses.create({
    model, input: `${question} (5)`, background: true, instructions,
  });
  assert.equal(begun.instructions, instructions);
  assert.ok(['queued', 'in_progress', 'completed'].includes(begun.status));
  const all = [];
  for await (const event of await client.responses.retrieve(begun.id, { stream: true })) {
    all.push(event);
  }
  assert.equal(all.at(-1).type, 'response.completed');
  const rest = [];
  const from = { stream: true, starting_after: 4 };
  for await (const event of await client.responses.retrieve(begun.id, from)) rest.push(event);
  assert.deepEqual(rest, all.slice(5));
  const helper = client.responses.stream({ response_id: begun.id, starting_after: 4 });
  const resumed = [];
  for await (const event of helper) resumed.push(event.sequence_number);
  assert.deepEqual(resumed, rest.map((event) => event.sequence_number));
  const again = await client.responses.retrieve(begun.id);
  assert.equal(again.status, 'completed');
  assert.equal(again.instructions, instructions);
  assert.equal((await client.responses.cancel(begun.id)).status, 'completed');
  assert.equal((await client.responses.inputItems.list(begun.id)).data.length, 1);
  await client.responses.delete(begun.id);
  await assert.rejects(client.responses.retrieve(begun.id), (error) => error.status === 404);
});

test('an error is an error', async () => {
  const unknown = client.chat.completions.create({ model: 'gpt', messages: asked(6) });
  await assert.rejects(unknown, (error) => error.code === 'model_not_found');
});

test('its own repetitions after a 503 and after a time-out are one episode', async () => {
  let faults = ['lost', 'silent'];
  const posts = [];
  const faulty = async (url, init) => {
    if (init?.method !== 'POST' && init?.method !== 'post') return fetch(url, init);
    posts.push(new Headers(init.headers).get('x-stainless-retry-count'));
    const fault = faults.shift();
    // the request arrives, whatever becomes of its answer
    const { signal, ...rest } = init;
    const answer = await fetch(url, rest);
    await answer.clone().text();
    if (fault === 'lost') return new Response('lost', { status: 503 });
    if (fault === 'silent') {
      return new Promise((_, reject) => signal?.addEventListener('abort', () =>
        reject(new DOMException('aborted', 'AbortError'))));
    }
    return answer;
  };
  const spoiled = new OpenAI({
    baseURL: `${process.env.RUBRICEM}/v1`, apiKey: 'k', fetch: faulty, timeout: 5000,
  });
  const text = 'What raises the tides, asked again and again?';
  const answer = await spoiled.responses.create({ model, input: text });
  assert.equal(answer.status, 'completed');
  assert.deepEqual(posts, ['0', '1', '2']);
  const list = await fetch(`${process.env.RUBRICEM}/v1/research?q=asked%20again%20and%20again`);
  assert.equal((await list.json()).episodes.length, 1);
});
