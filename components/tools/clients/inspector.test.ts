import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { tenantA } from '../fixtures/callers.ts';
import { members } from '../fixtures/results.ts';
import { startWorld, type Json, type World } from '../fixtures/world.ts';

const manifest = fileURLToPath(import.meta.resolve('@modelcontextprotocol/inspector/package.json'));
const inspector = join(dirname(manifest), 'clients/launcher/build/index.js');

const run = async (args: readonly string[]): Promise<{ code: number; output: string; json: Json }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [inspector, '--cli', ...args], { timeout: 30_000 }, (error, stdout, stderr) => {
      const start = stdout.indexOf('{');
      const json = error === null && start >= 0 ? (JSON.parse(stdout.slice(start)) as Json) : {};
      resolve({
        code: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1,
        output: stdout + stderr,
        json,
      });
    });
  });

describe('the MCP Inspector', () => {
  let world: World;
  before(async () => {
    world = await startWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  for (const era of ['legacy', 'auto', 'modern']) {
    const options = (): string[] => [
      `${world.addresses.mcp}/t/${tenantA}`,
      '--transport',
      'http',
      '--protocol-era',
      era,
      '--header',
      'Authorization: Bearer alice',
    ];
    test(`${era}: lists tools and finds every schema portable`, async () => {
      const { code, output, json } = await run([...options(), '--method', 'tools/list', '--strict']);
      assert.equal(code, 0, output);
      assert.ok(members(json['tools']).length > 5, output);
    });

    test(`${era}: calls a tool`, async () => {
      const args = ['--method', 'tools/call', '--tool-name', 'service_list_things', '--tool-arg', 'limit=3'];
      const { code, output, json } = await run([...options(), ...args]);
      assert.equal(code, 0, output);
      assert.equal(String(json['structuredContent']?.['summary']), 'At most 3 things.');
    });
  }
});
