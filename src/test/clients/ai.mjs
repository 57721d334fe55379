// Vercel's SDK with its OpenAI provider, over both interfaces.
import assert from 'node:assert/strict';
import test from 'node:test';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, streamText } from 'ai';

const provider = createOpenAI({ baseURL: `${process.env.RUBRICEM}/v1`, apiKey: 'k' });
const prompt = (n) => `What raises the tides of the sea? (ai ${n})`;

test('generateText over chat completions', async () => {
  const { text, sources } = await generateText({ model: provider.chat('rubricem'), prompt: prompt(1) });
  assert.ok(text.includes('The moon raises the tides'));
  assert.match(sources[0].url, /tides\.txt$/);
});

test('streamText over chat completions', async () => {
  const { textStream } = streamText({ model: provider.chat('rubricem'), prompt: prompt(2) });
  let text = '';
  for await (const piece of textStream) text += piece;
  assert.ok(text.includes('The moon raises the tides'));
});

test('generateText over responses', async () => {
  const { text, sources } = await generateText({
    model: provider.responses('rubricem'), prompt: prompt(3),
  });
  assert.ok(text.includes('The moon raises the tides'));
  assert.match(sources[0].url, /tides\.txt$/);
});

test('streamText over responses', async () => {
  const result = streamText({ model: provider.responses('rubricem'), prompt: prompt(4) });
  let text = '';
  for await (const piece of result.textStream) text += piece;
  assert.ok(text.includes('The moon raises the tides'));
  assert.equal(await result.finishReason, 'stop');
});
