// The MCP conformance suite against the door. Scenarios that ask a server for tools, resources or
// prompts made for the suite are named with what they ask for; every other one must pass.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import test from 'node:test';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const asksForItsOwn = {
  'tools-call-simple-text': 'tool test_simple_text',
  'tools-call-image': 'tool test_image_content',
  'tools-call-audio': 'tool test_audio_content',
  'tools-call-embedded-resource': 'tool test_embedded_resource',
  'tools-call-mixed-content': 'tool test_multiple_content_types',
  'tools-call-with-logging': 'tool test_tool_with_logging',
  'tools-call-error': 'tool test_error_handling',
  'tools-call-with-progress': 'tool test_tool_with_progress',
  'tools-call-sampling': 'tool test_sampling',
  'tools-call-elicitation': 'tool test_elicitation',
  'elicitation-sep1034-defaults': 'tool test_elicitation_sep1034_defaults',
  'elicitation-sep1330-enums': 'tool test_elicitation_sep1330_enums',
  'json-schema-2020-12': 'tool json_schema_2020_12_tool',
  'server-sse-polling': 'tool test_reconnection',
  'resources-read-text': 'resource test://static-text',
  'resources-read-binary': 'resource test://static-binary',
  'resources-templates-read': 'resource test://template/123/data',
  'resources-subscribe': 'resource test://watched-resource',
  'resources-unsubscribe': 'resource test://watched-resource',
  'prompts-get-simple': 'prompt test_simple_prompt',
  'prompts-get-with-args': 'prompt test_prompt_with_arguments',
  'prompts-get-embedded-resource': 'prompt test_prompt_with_embedded_resource',
  'prompts-get-with-image': 'prompt test_prompt_with_image',
};

const suite = fileURLToPath(
  new URL('node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'conformance-'));

const run = (...args) =>
  new Promise((done) => {
    execFile(process.execPath, [suite, ...args], { cwd: scratch }, (error, stdout, stderr) =>
      done({ code: error ? error.code : 0, text: stdout + stderr }));
  });

const listed = (await run('list')).text.split('Client scenarios')[0];
const scenarios = [...listed.matchAll(/^ +- ([a-z0-9-]+)/gm)].map((match) => match[1]);

test('the suite has the scenarios that are named here', () => {
  assert.ok(scenarios.length > 20, listed);
  for (const name of Object.keys(asksForItsOwn)) assert.ok(scenarios.includes(name), name);
});

for (const name of scenarios.filter((one) => !(one in asksForItsOwn))) {
  test(`conformance ${name}`, async () => {
    const { code, text } = await run(
      'server', '--url', `${process.env.RUBRICEM.replace('127.0.0.1', 'localhost')}/mcp`,
      '--scenario', name);
    assert.equal(code, 0, text);
    assert.doesNotMatch(text, /WARNING|FAILURE/);
  });
}
