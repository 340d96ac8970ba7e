import { hash } from 'node:crypto';
import { genesis } from '@steward/audit/chain';
import { type DayManifest, type PlatformManifest, platformLine } from '../../format/manifest.ts';
import { MerkleTree } from '../../format/merkle.ts';
import { dayPaths } from '../../format/paths.ts';
import { oldest, readArchivedDay } from './archived-day.ts';
import { dayAfter, dayBefore } from '../calendar.ts';
import { refusalOf, SealRefused } from '../refusal.ts';
import type { SealRun } from '../run.ts';
import { Spool } from './spool.ts';
import { firstSealedDay, lastPlatformDay, platformLines, type Previous, recordPlatformDay } from '../statements.ts';
import { storeDay } from './store-day.ts';
import { learnIncarnation, link } from './tenant-day.ts';

const page = 5_000;

/**
 * Seals the platform's days up to one for which every tenant's day is sealed.
 * @returns how many
 * @throws SealRefused when the archive holds a day that the tenants' days do not explain
 */
export async function sealPlatformDays(run: SealRun, through: string): Promise<number> {
  let previous: Previous | undefined = await lastPlatformDay(run.pool);
  const first = previous === undefined ? await firstDay(run) : dayAfter(previous.day);
  let sealed = 0;
  for (let day = first; day !== undefined && day <= through; day = dayAfter(day)) {
    previous = await sealPlatformDay(run, day, previous).catch((error: unknown) => {
      throw refusalOf(error, 'platform', day);
    });
    sealed += 1;
    await run.turn();
  }
  return sealed;
}

/** The first day of the first tenant, or of the archive, where it was made for tenants that are no more. */
async function firstDay(run: SealRun): Promise<string | undefined> {
  const own = await firstSealedDay(run.pool);
  for await (const path of run.target.list('platform/')) {
    const [, ...date] = /^platform\/(\d{4})\/(\d{2})\/(\d{2})\.checkpoint$/.exec(path) ?? [];
    if (date.length > 0) return own === undefined || date.join('-') < own ? date.join('-') : own;
  }
  return own;
}

async function sealPlatformDay(run: SealRun, day: string, previous: Previous | undefined): Promise<Previous> {
  await using spool = new Spool(run.spoolFolder);
  const tree = new MerkleTree();
  for await (const lines of pages(run, day)) {
    const texts = lines.map(({ tenant, manifestSha256 }) => platformLine(tenant, manifestSha256));
    for (const text of texts) tree.add(Buffer.from(text.slice(0, -1)));
    await spool.write(Buffer.from(texts.join('')));
    await run.turn();
  }
  const { source, bytes, sha256 } = await spool.finish();
  const manifest: PlatformManifest = {
    format: 'steward-audit-platform-day/1',
    day,
    incarnation: run.incarnation,
    count: tree.size,
    bytes,
    sha256,
    root: tree.root().toString('hex'),
    target: run.powers,
    ...(previous === undefined ? {} : { previous: link(previous) }),
  };
  const stored =
    (await storeDay(run.target, run.signers, 'platform', source, manifest)) ?? (await takeOver(run, day, previous));
  await learnIncarnation(run, stored.manifest);
  await recordPlatformDay(run.pool, stored);
  const { manifestSha256, versions } = stored;
  return { day, incarnation: stored.manifest.incarnation, manifestSha256, versions };
}

async function* pages(run: SealRun, day: string): AsyncGenerator<Awaited<ReturnType<typeof platformLines>>> {
  for (let after: string | undefined; ;) {
    const lines = await platformLines(run.pool, day, after, page);
    if (lines.length > 0) yield lines;
    if (lines.length < page) return;
    after = lines.at(-1)?.tenant;
  }
}

/** The archived day knows tenants that this database does not: it was restored from a backup made before they came. */
async function takeOver(run: SealRun, day: string, previous: Previous | undefined) {
  const refuse = (detail: string): SealRefused =>
    new SealRefused('platform', day, `${detail} Run \`steward audit verify\`.`);
  const { target, signers } = run;
  const there = await readArchivedDay<PlatformManifest>(
    target,
    'steward-audit-platform-day/1',
    'platform',
    day,
    signers.known,
  );
  if (there === undefined || there.manifest.previous?.manifestSha256 !== previous?.manifestSha256)
    throw refuse('the archive holds something else under its name.');
  const path = dayPaths('platform', day).rows;
  const chunks = await target.read(path, there.manifest.bytes, (await oldest(target, path))?.version);
  const bytes = Buffer.concat(chunks === undefined ? [] : await Array.fromAsync(chunks));
  if (hash('sha256', bytes) !== there.manifest.sha256) throw refuse('its file is not the one that was signed.');
  const archived = new Map(
    bytes
      .toString()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { readonly manifest: string; readonly tenant: string })
      .map(({ manifest, tenant }) => [tenant, manifest]),
  );
  for await (const lines of pages(run, day)) {
    for (const { tenant, manifestSha256 } of lines) {
      if (archived.get(tenant) !== manifestSha256)
        throw refuse(`the archive holds it without tenant ${tenant}, or with another manifest of that tenant.`);
      archived.delete(tenant);
    }
  }
  for (const tenant of archived.keys()) {
    if (!run.lost.has(tenant)) await noteLost(run, tenant, day);
  }
  return there;
}

async function noteLost(run: SealRun, tenant: string, from: string): Promise<void> {
  let last: DayManifest | undefined;
  for (let day = from; day <= run.through; day = dayAfter(day)) {
    const there = await readArchivedDay<DayManifest>(run.target, 'steward-audit-day/1', tenant, day, run.signers.known);
    if (there === undefined) break;
    last = there.manifest;
    await run.turn();
  }
  const number = await run.noteRestored({
    tenant,
    day: from,
    sequence: 0,
    rowHash: genesis(tenant),
    archivedSequence: last?.lastSequence ?? 0,
    archivedIncarnation: last?.incarnation ?? 1,
    from,
    to: last?.day ?? from,
  });
  run.lost.add(tenant);
  run.incarnation = Math.max(run.incarnation, number);
}

/** The last day for which no tenant is due any more. */
export const completeThrough = (due: readonly { readonly day: string }[], through: string): string =>
  due[0] === undefined || due[0].day > through ? through : dayBefore(due[0].day);
