import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob } from 'node:fs/promises';

// Suites that need a program or a service of the machine: `name.<word>.services.test.ts`, registered where the variable is set.

const variables: Readonly<Record<string, string>> = {
  chromium: 'CHROMIUM_PATH',
  firefox: 'FIREFOX_PATH',
  pdftotext: 'PDFTOTEXT_PATH',
  database: 'DATABASE_URL_TEST',
  pgbouncer: 'PGBOUNCER_PATH',
  pgdump: 'PG_DUMP_PATH',
  nats: 'NATS_TEST_URL',
  redis: 'REDIS_TEST_URL',
  s3: 'S3_TEST_ENDPOINT',
};

const files = (
  await Array.fromAsync(
    glob('{apps,components,packages,conformance}/**/*.services.test.ts', { exclude: ['**/node_modules/**'] }),
  )
).toSorted();
const wordOf = (file: string): string => /\.([a-z0-9]+)\.services\.test\.ts$/.exec(file)?.[1] ?? '';
const unknown = files.filter((file) => variables[wordOf(file)] === undefined);
if (unknown.length > 0) throw new Error(`no variable is known for ${unknown.join(', ')}`);
const registered = files.filter((file) => (process.env[variables[wordOf(file)] ?? ''] ?? '') !== '');

let code = 0;
if (registered.length > 0) {
  const runner = spawn(
    process.execPath,
    ['--test', '--test-concurrency=1', '--test-global-setup=packages/testing/setup.ts', ...registered],
    { stdio: 'inherit' },
  );
  code = ((await once(runner, 'exit')) as [number | null])[0] ?? 1;
}

console.log('\nSuites that need a service:');
const required = (process.env['REQUIRE_SERVICES'] ?? '').split(',').filter((word) => word !== '');
for (const [word, variable] of Object.entries(variables)) {
  const own = files.filter((file) => wordOf(file) === word);
  const ran = own.filter((file) => registered.includes(file));
  const state =
    own.length === 0
      ? 'no suite needs it yet'
      : ran.length > 0
        ? `ran ${ran.length} suites`
        : `NOT REGISTERED: ${own.length} suites, set ${variable}`;
  console.log(`  ${variable.padEnd(18)} ${state}`);
  if (required.includes(word) && own.length > 0 && ran.length === 0) {
    console.error(`  ${variable} was required and its suites did not run.`);
    code = 1;
  }
}
process.exitCode = code;
