import { dayAfter } from '@steward/archive/format';
import type { Finding as FoundInArchive } from '../verifier/steward-audit-verify.mjs';
import type { Finding } from './finding.ts';

/** A finding of the archive's own verifier. */
export const asFinding = ({ sequence = 0, through = sequence, ...told }: FoundInArchive): Finding => ({
  where: 'archive',
  ...told,
  ...(told.day === undefined ? {} : { throughDay: told.throughDay ?? told.day }),
  sequence,
  through,
});

/**
 * One list that reports each thing once, sorted by tenant and day.
 * @param source what is wrong with the source
 * @param beside what is wrong with the archive, judging by the source or by its versions
 * @param alone what is wrong with it by itself
 */
export function merge(source: readonly Finding[], beside: readonly Finding[], alone: readonly Finding[]): Finding[] {
  // The source shows which rows were lost and how far sealing is behind; the archive by itself, which files are missing.
  const kept = [
    ...source,
    ...beside.filter((finding) => finding.kind !== 'missing' || !alone.some((other) => covers(other, finding))),
    ...alone.filter(
      ({ kind }) => !(kind === 'restored' || kind === 'stale') || !source.some((one) => one.kind === kind),
    ),
  ];
  const told = new Map(
    kept.map((one) => [JSON.stringify([one.where, one.kind, one.tenant, one.day, one.sequence, one.detail]), one]),
  );
  return runs(
    [...told.values()].toSorted(
      (a, b) => compare(a.tenant, b.tenant) || compare(a.day ?? '', b.day ?? '') || a.sequence - b.sequence,
    ),
  );
}

/** Days in a row of which the same is said and no row is named become one finding. */
function runs(sorted: readonly Finding[]): Finding[] {
  const joined: Finding[] = [];
  const ends = new Map<string, number>();
  for (const finding of sorted) {
    const { where, kind, tenant, detail, sequence, day, throughDay = day } = finding;
    const name = JSON.stringify([where, kind, tenant, detail]);
    const place = ends.get(name);
    const last = place === undefined ? undefined : joined[place];
    const follows = last?.throughDay !== undefined && sequence === 0 && dayAfter(last.throughDay) === day;
    if (place !== undefined && last !== undefined && follows && throughDay !== undefined)
      joined[place] = { ...last, throughDay };
    else ends.set(name, joined.push(finding) - 1);
  }
  return joined;
}

const covers = (other: Finding, { tenant, day = '' }: Finding): boolean =>
  other.kind === 'missing' && other.tenant === tenant && (other.day ?? '') <= day && day <= (other.throughDay ?? '');

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
