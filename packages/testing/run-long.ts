import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, readFile } from 'node:fs/promises';

// The test files that read LONG_RUNS, with so many times the work that they do in the whole suite. Arguments that are no options are
// the beginnings of the files to run; options are handed on to `node --test`.

const variable = 'LONG_RUNS';
const times = process.env[variable] ?? '20';

const [options, wanted] = [true, false].map((option) =>
  process.argv.slice(2).filter((argument) => argument.startsWith('-') === option),
) as [string[], string[]];
const all = await Array.fromAsync(
  glob('{apps,components,packages,conformance}/**/*.test.ts', { exclude: ['**/node_modules/**'] }),
);
const files: string[] = [];
for (const file of all.toSorted())
  if (
    (wanted.length === 0 || wanted.some((start) => file.startsWith(start))) &&
    (await readFile(file, 'utf8')).includes(`process.env['${variable}']`)
  )
    files.push(file);
if (files.length === 0) throw new Error(`no test file that reads ${variable} begins with ${wanted.join(' or ')}`);

const runner = spawn(
  process.execPath,
  // One after the other: the processes that a test kills and starts again have the machine to themselves.
  ['--test', '--test-concurrency=1', '--test-global-setup=packages/testing/setup.ts', ...options, ...files],
  { stdio: 'inherit', env: { ...process.env, [variable]: times } },
);
const [code] = (await once(runner, 'exit')) as [number | null];
process.exitCode = code ?? 1;
