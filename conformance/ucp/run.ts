import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { glob } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createWorld } from '@steward/conformance/world';
import { openFlowerShop } from './shop.ts';

// The official suite of the Universal Commerce Protocol against this server, by hand: `UCP_SUITE=<checkout> npm run test:ucp`. Arguments are the
// beginnings of the files to run. `UCP_PYTHON` is a command that runs Python with what the suite needs.

const suite = process.env['UCP_SUITE'];
if (suite === undefined || suite === '') {
  console.error('Name a checkout of the suite: UCP_SUITE=<folder> npm run test:ucp');
  process.exit(2);
}
const python = (process.env['UCP_PYTHON'] ?? 'python3').split(' ').filter((word) => word !== '');
const wanted = process.argv.slice(2);
const data = 'test_data/flower_shop';
/** It asks for a profile at the root of a host; doors of brands stand below a path. */
const known: ReadonlySet<string> = new Set(['test_discovery_urls']);

const secret = randomUUID();
await using world = await createWorld({
  UCP_CONFORMANCE: '1',
  UCP_SIMULATION_SECRET: secret,
  UCP_VERSION: process.env['UCP_VERSION'] ?? '2026-04-08',
  UCP_PER_IP_PER_MINUTE: '1000000',
});
const server = await openFlowerShop(world, join(resolve(suite), data));

const files = (await Array.fromAsync(glob('**/*_test.py', { cwd: suite })))
  .filter((file) => wanted.length === 0 || wanted.some((start) => file.startsWith(start)))
  .toSorted();
let [tests, failed] = [0, 0];
for (const file of files) {
  const told = await run(file);
  const ran = Number(/^Ran (\d+) tests?/m.exec(told)?.[1] ?? 0);
  const failures = [...told.matchAll(/^(?:FAIL|ERROR): (\w+)/gm)].flatMap(([, name = '']) =>
    known.has(name) ? [] : [name],
  );
  if (ran === 0) failures.push('it did not run');
  tests += ran;
  failed += failures.length;
  console.log(failures.length === 0 ? `✔ ${file}: ${ran}` : `✖ ${file}: ${failures.join(', ')}\n${told}`);
}
console.log(`${tests} tests, ${failed} failed`);
process.exitCode = failed === 0 && tests > 0 ? 0 : 1;

async function run(file: string): Promise<string> {
  const [command = '', ...first] = python;
  const child = spawn(
    command,
    [
      ...first,
      file,
      `--server_url=${server}`,
      `--simulation_secret=${secret}`,
      `--conformance_input=${data}/conformance_input.json`,
      `--test_data_dir=${data}`,
    ],
    { cwd: suite, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part));
  await once(child, 'close');
  return Buffer.concat(parts).toString();
}
