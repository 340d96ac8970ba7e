import type pg from 'pg';
import { hash } from 'node:crypto';
import {
  claimPath,
  hourPath,
  type Claim,
  openClaim,
  type Head,
  type ArchivedHour,
  mostHourBytes,
  openHour,
} from '@steward/archive/format';
import type { Archive } from './archive.ts';
import type { Cut } from '../days/cuts.ts';
import { archiveFinding, type Finding, type SourceFinding } from '../log/finding.ts';
import { readSmall } from './trust.ts';

export interface HoursOptions {
  /** Public keys that are trusted, and those that notes lead to. */
  readonly keys: readonly string[];
  readonly acceptIncarnation: number;
  readonly tenant?: string | undefined;
  /** The hours of the archive before the database's snapshot was taken: the rows that they name must be in it. */
  readonly numbers: readonly number[];
}

export interface ComparedHours {
  readonly source: readonly SourceFinding[];
  readonly archive: readonly Finding[];
  readonly notes: readonly string[];
  /** The highest incarnation of a signed claim, 1 if there is none. */
  readonly incarnation: number;
  /** Where chains go on after rows were lost, by tenant, as signed claims say. */
  readonly cuts: ReadonlyMap<string, readonly Cut[]>;
}

/** Days behind the newest one: what is older is compared row by row with the sealed days. */
const lately = 3;

/**
 * Compares the rows of the last days with what hourly checkpoints saw of them, and the checkpoints with what the database
 * remembers of them. What is wrong with a checkpoint itself, the archive's own verifier says.
 * @param client in a transaction as the verifier role
 */
export async function compareHours(client: pg.Client, archive: Archive, options: HoursOptions): Promise<ComparedHours> {
  const source: SourceFinding[] = [];
  const found: Finding[] = [];
  const notes: string[] = [];
  const { numbers } = options;
  const { rows: recorded } = await client.query<{ number: number; sha256: string; key: string; at: string }>(
    `select number, encode(note_sha256, 'hex') as sha256, key_id as key, to_char(taken_at, 'YYYY-MM-DD"T"HH24:MI"Z"') as at
     from audit.hour order by number`,
  );
  for (const { number, sha256, key, at } of options.tenant === undefined ? recorded : []) {
    if (number < (numbers[0] ?? 1)) continue;
    const bytes = await readSmall(archive, hourPath(number), mostHourBytes);
    if (bytes === undefined)
      found.push(archiveFinding('missing', 'platform', `the hourly checkpoint ${number} of ${at} is missing`));
    else if (hash('sha256', bytes) !== sha256 || (openHour(bytes, number, options.keys)?.keyId ?? key) !== key)
      source.push({
        tenant: 'platform',
        kind: 'record',
        sequence: 0,
        detail: `the database remembers another hourly checkpoint ${number}`,
      });
  }
  const { cuts: lost, incarnation, last } = await readClaims(archive, options.keys);
  if (last !== undefined && options.tenant === undefined && !(await isClaimedBy(client, last)))
    source.push({
      tenant: 'platform',
      kind: 'record',
      sequence: 0,
      detail: `the archive is claimed by another database, ${last.database} of installation ${last.installation}`,
    });
  const good = new Map<string, number>();
  const told = new Set<string>();
  for (const hour of await lateHours(archive, numbers, options.keys)) {
    const heads = hour.heads.filter(({ tenant }) => (options.tenant ?? tenant) === tenant);
    const wrong = await differing(client, heads);
    for (const head of heads) {
      const stored = wrong.get(head.tenant);
      if (stored === undefined) good.set(head.tenant, head.sequence);
      else {
        const cut = lost
          .get(head.tenant)
          ?.find((one) => one.incarnation > hour.incarnation && one.sequence < head.sequence);
        // What one claim gave up is told once, and excuses nothing that was seen after it.
        const about = `${head.tenant} ${cut?.incarnation ?? 'none'}`;
        if (!told.has(about)) judge(head, hour, stored.there, cut, good.get(head.tenant) ?? 0);
        told.add(about);
      }
    }
  }
  return { source, archive: found, notes, incarnation, cuts: lost };

  function judge(
    { tenant, sequence }: Head,
    { takenAt, number }: ArchivedHour,
    there: boolean,
    cut: Cut | undefined,
    last: number,
  ): void {
    const seen = `the hourly checkpoint ${number} of ${takenAt}`;
    if (cut !== undefined && cut.incarnation <= options.acceptIncarnation)
      notes.push(`${tenant}: rows ${cut.sequence + 1} to ${sequence} were lost, which is known: ${seen} had seen them`);
    else if (cut !== undefined)
      source.push({
        tenant,
        kind: 'restored',
        sequence: cut.sequence + 1,
        through: sequence,
        detail: `${seen} has seen rows that were lost, as the claim of the archive says`,
      });
    else if (there)
      source.push({
        tenant,
        kind: 'rows',
        sequence: last + 1,
        through: sequence,
        detail: `the rows hang together, but are not those that ${seen} has seen`,
      });
    else
      source.push({
        tenant,
        kind: 'tail',
        sequence: last + 1,
        through: sequence,
        detail: `${seen} has seen rows that are not here: they were cut off, or lost`,
      });
  }
}

/** The numbers that there are, in order. */
export async function listHours(archive: Archive): Promise<number[]> {
  const numbers: number[] = [];
  for await (const path of archive.list('platform/hours/')) {
    const number = Number(/^platform\/hours\/(\d{9})\.note$/.exec(path)?.[1] ?? 0);
    if (number > 0) numbers.push(number);
  }
  return numbers;
}

/** Those of the last days, the oldest first. */
async function lateHours(
  archive: Archive,
  numbers: readonly number[],
  keys: readonly string[],
): Promise<ArchivedHour[]> {
  const hours: ArchivedHour[] = [];
  let since = '';
  for (const number of numbers.toReversed()) {
    const bytes = await readSmall(archive, hourPath(number), mostHourBytes);
    const hour = bytes === undefined ? undefined : openHour(bytes, number, keys);
    if (hour === undefined) continue;
    since ||= new Date(Date.parse(hour.takenAt) - lately * 86_400_000).toISOString();
    if (hour.takenAt < since) break;
    hours.unshift(hour);
  }
  return hours;
}

/** Where chains continued after rows were lost, as signed claims say. */
async function readClaims(
  archive: Archive,
  keys: readonly string[],
): Promise<{
  readonly cuts: ReadonlyMap<string, readonly Cut[]>;
  readonly incarnation: number;
  readonly last: Claim | undefined;
}> {
  const cuts = new Map<string, Cut[]>();
  let highest = 1;
  let last: Claim | undefined;
  for await (const path of archive.list('platform/claims/')) {
    const number = Number(/^platform\/claims\/(\d{9})\.note$/.exec(path)?.[1] ?? 0);
    const bytes = number === 0 ? undefined : await readSmall(archive, claimPath(number), mostHourBytes);
    const claim = bytes === undefined ? undefined : openClaim(bytes, number, keys);
    if (claim === undefined) continue;
    last = claim;
    const { incarnation } = claim;
    highest = Math.max(highest, incarnation);
    for (const { tenant, sequence, rowHash } of claim.lost)
      cuts.set(tenant, [...(cuts.get(tenant) ?? []), { incarnation, sequence, rowHash }]);
  }
  return { cuts, incarnation: highest, last };
}

/** By installation and database; of the cluster only the owner may ask. */
async function isClaimedBy(client: pg.Client, { installation, database }: Claim): Promise<boolean> {
  const { rows } = await client.query<{ id: string; oid: string }>(
    `select i.id, d.oid::text as oid from audit.installation i, pg_database d where d.datname = current_database()`,
  );
  const [row] = rows;
  return rows.length === 1 && row?.id === installation && database.endsWith(`-${row.oid}`);
}

async function differing(
  client: pg.Client,
  heads: readonly Head[],
): Promise<ReadonlyMap<string, { readonly there: boolean }>> {
  const { rows } = await client.query<{ tenant: string; there: boolean }>(
    `select p.tenant_id as tenant, e.row_hash is not null as there
     from unnest($1::uuid[], $2::bigint[], $3::text[]) as p (tenant_id, sequence, row_hash)
     left join audit.event e on e.tenant_id = p.tenant_id and e.sequence = p.sequence
     where encode(e.row_hash, 'hex') is distinct from p.row_hash`,
    [heads.map(({ tenant }) => tenant), heads.map(({ sequence }) => sequence), heads.map(({ rowHash }) => rowHash)],
  );
  return new Map(rows.map(({ tenant, there }) => [tenant, { there }]));
}
