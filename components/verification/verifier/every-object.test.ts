import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { dayPaths, hourPath } from '@steward/archive/format';
import {
  everyKindArchive,
  exampleDays,
  exampleKeyLines,
  exampleTenants,
  hourlyArchive,
  MadeArchive,
  readerOf,
  writeFiles,
} from '@steward/archive/testing';
import { hasPython, runSecondVerifier } from '../fixtures/python.ts';
import type { Files } from '../fixtures/tampers/tamper.ts';
import { verifyArchive } from './steward-audit-verify.mjs';

const [key = ''] = exampleKeyLines;
const [alpha, beta] = exampleTenants;
const last = exampleDays[4];
/** The day after the last one: sealing may be at work on that. And a day on which it may not any more. */
const [atWork, over] = ['2026-03-04', '2026-03-05'] as const;

const accepts = async (files: Files, today: string): Promise<boolean> =>
  (await verifyArchive(readerOf(files), { keys: [key], now: new Date(`${today}T12:00:00Z`) })).ok;

/** Whether the second verifier accepts each of these. */
async function secondAccepts(archives: readonly Files[], today: string): Promise<boolean[]> {
  const folder = await mkdtemp(join(tmpdir(), 'steward-objects-'));
  const folders = archives.map((_, at) => join(folder, String(at)));
  for (const [at, files] of archives.entries()) await writeFiles(folders[at] ?? '', files);
  const { told } = runSecondVerifier('--key', key, '--today', today, '--archive', ...folders);
  await rm(folder, { recursive: true });
  return told.map((found) => found.length === 0);
}

const without = (files: Files, paths: readonly string[]): Files =>
  new Map([...files].filter(([path]) => !paths.includes(path)));

const inOrder = (owner: string): string[] => {
  const { rows, manifest, checkpoint } = dayPaths(owner, last);
  return [rows, manifest, checkpoint];
};

/** As a sealer that was cut off leaves the last day: of each owner the first files, and the platform's after all others. */
function isBegun(files: Files, tenants: readonly string[]): boolean {
  const there = (owner: string): boolean[] => inOrder(owner).map((path) => files.has(path));
  const inTurn = [...tenants, 'platform'].every((owner) =>
    there(owner).every((one, at, all) => !one || all[at - 1] !== false),
  );
  return inTurn && (!there('platform').includes(true) || tenants.every((tenant) => !there(tenant).includes(false)));
}

function* subsets(paths: readonly string[]): Generator<string[]> {
  for (let bits = 0; bits < 2 ** paths.length; bits += 1) yield paths.filter((_, at) => (bits >> at) % 2 === 1);
}

/** What may stand under the name of each object, whatever its kind: nothing, no byte, and each other object of its kind. */
function* changes(files: Files): Generator<{ readonly what: string; readonly path: string; readonly changed: Files }> {
  const kind = (path: string): string => path.replace(/^[0-9a-f-]{36}/, 'tenant').replaceAll(/[0-9a-f]{16}|\d+/g, '0');
  for (const [path, bytes] of files) {
    yield { what: `${path} is gone`, path, changed: without(files, [path]) };
    if (bytes.length > 0) yield { what: `${path} is empty`, path, changed: new Map(files).set(path, Buffer.of()) };
    for (const [other, content] of files)
      if (kind(other) === kind(path) && !content.equals(bytes))
        yield { what: `${path} is ${other}`, path, changed: new Map(files).set(path, content) };
  }
}

describe('whatever kind an object is of, and however old', () => {
  const { files } = everyKindArchive();
  /** A copy may leave out the first hours; nothing names the last one yet; sealing writes the last checkpoint of the platform last. */
  const forgiven = (today: string): string[] => [
    `${hourPath(1)} is gone`,
    `${hourPath(10)} is gone`,
    ...(today === atWork ? [`${dayPaths('platform', last).checkpoint} is gone`] : []),
  ];

  for (const today of [atWork, over])
    test(`nothing can stand in its place unseen, on ${today}`, async () => {
      assert.ok(await accepts(files, today));
      const unseen: string[] = [];
      for (const { what, changed } of changes(files)) if (await accepts(changed, today)) unseen.push(what);
      assert.deepEqual(unseen.toSorted(), forgiven(today).toSorted());
    });

  if (hasPython)
    test('nothing can be taken away unseen by the second verifier', async () => {
      const gone = [...changes(files)].filter(({ what }) => /gone|claims/.test(what));
      for (const today of [atWork, over]) {
        const accepted = await secondAccepts(
          gone.map(({ changed }) => changed),
          today,
        );
        const unseen = gone.filter((_, at) => accepted[at]).map(({ what }) => what);
        assert.deepEqual(unseen.toSorted(), forgiven(today).toSorted());
      }
    });
});

describe('files of the last day that are there without the others', () => {
  test('are a day that is being sealed only where sealing leaves them so, and only for a day', async () => {
    const { files } = hourlyArchive();
    const paths = [alpha, beta, 'platform'].flatMap(inOrder);
    for (const gone of subsets(paths)) {
      const left = without(files, gone);
      const what = gone.join(', ');
      assert.equal(await accepts(left, atWork), isBegun(left, [alpha, beta]), what);
      const nothing = gone.length === paths.length;
      assert.equal(await accepts(left, over), gone.length === 0 || nothing, what);
    }
  });

  if (hasPython)
    test('are judged so by the second verifier too', async () => {
      const archive = new MadeArchive();
      for (const day of exampleDays.slice(3)) {
        archive.append(alpha, day, '10:00:00.000', { id: day, type: 'x' });
        archive.seal(alpha, day);
        archive.sealPlatform(day);
      }
      const all = [...subsets([alpha, 'platform'].flatMap(inOrder))];
      const left = all.map((gone) => without(archive.files, gone));
      const judged = runs(await secondAccepts(left, atWork), all);
      assert.deepEqual(
        judged,
        runs(
          left.map((one) => isBegun(one, [alpha])),
          all,
        ),
      );
    });
});

const runs = (accepted: readonly boolean[], all: readonly string[][]): string[] =>
  all.filter((_, at) => accepted[at]).map((gone) => gone.join(', '));

describe('rows of a day that is not sealed yet', () => {
  const begun = (change: (text: string) => string): Files => {
    const { files } = hourlyArchive();
    const left = without(files, [...inOrder('platform'), dayPaths(alpha, last).checkpoint]);
    const { rows } = dayPaths(alpha, last);
    return left.set(rows, Buffer.from(change(String(left.get(rows)))));
  };
  /** The same rows of somebody else's making: another event, and hashes that follow from it. */
  const recomputed = (): string => {
    const archive = new MadeArchive();
    for (const { event, receivedMs, sequence } of hourlyArchive().rows(alpha)) {
      const [day = '', time = ''] = new Date(receivedMs).toISOString().slice(0, -1).split('T');
      archive.appendText(alpha, day, time, sequence === 10 ? event.replace('4001', '4002') : event);
    }
    archive.seal(alpha, last);
    return String(archive.files.get(dayPaths(alpha, last).rows));
  };
  const cases: readonly (readonly [what: string, files: Files, found: readonly string[]])[] = [
    ['as they were written', begun((text) => text), []],
    ['changed', begun((text) => text.replace('4001', '4002')), ['chain']],
    ['that were never the chain, though their hashes follow', begun(recomputed), ['hour']],
    ['cut off', begun(() => ''), ['hour']],
  ];
  for (const [what, files, found] of cases)
    test(`${what}: ${found.length === 0 ? 'are no finding' : found[0]}`, async () => {
      const verdict = await verifyArchive(readerOf(files), { keys: [key], now: new Date(`${atWork}T12:00:00Z`) });
      assert.deepEqual(
        verdict.findings.map(({ kind, tenant, day }) => [kind, tenant, day]),
        found.map((kind) => [kind, alpha, last]),
      );
      assert.ok(verdict.notes.includes(`${alpha} ${last} is not sealed yet`));
      if (hasPython) assert.deepEqual(await secondAccepts([files], atWork), [found.length === 0]);
    });
});
