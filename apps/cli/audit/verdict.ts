import { oneLine } from '../printable.ts';
import type { EventProofVerdict, Finding, LogVerdict, OfflineVerdict } from '@steward/verification';

export interface Verification extends LogVerdict {
  /** One sentence for people. */
  readonly summary: string;
}

/** 0 verified, 1 findings, 3 where all that is wrong is that something could not be read. */
export function exitCode(findings: readonly Finding[]): number {
  if (findings.length === 0) return 0;
  return findings.every(({ kind }) => kind === 'unreachable') ? 3 : 1;
}

export function summarize(verdict: LogVerdict): string {
  const { ok, tenants, events, findings, archive, comparedDays, unsealedDays } = verdict;
  const sealed =
    archive === undefined ? 'no archive was compared' : `${comparedDays} sealed days compared with ${archive.address}`;
  const seen = `${count(events, 'event')} of ${count(tenants, 'tenant')}, ${sealed}`;
  const behind = unsealedDays === 0 ? '' : `, ${count(unsealedDays, 'day')} not sealed yet`;
  return ok
    ? `Verified: ${seen}, every chain whole${behind}.`
    : `NOT VERIFIED: ${count(findings.length, 'finding')} in ${seen}${behind}.`;
}

const count = (number: number, thing: string): string => `${number} ${thing}${number === 1 ? '' : 's'}`;

export function printLog(verdict: Verification): void {
  const { integrity, completeness, freshness, findings, truncated, notes, trust, lastVerifiedAt = 'never' } = verdict;
  printFindings(findings, truncated, notes);
  console.log(
    `integrity ${integrity}, completeness ${completeness}, freshness ${freshness}; last verified: ${lastVerifiedAt}`,
  );
  const named =
    trust.by === 'database' ? 'named by the database, whose owner could name others: pin one with --key' : 'given';
  console.log(`trusted keys, ${named}:${['', ...trust.keys].join('\n  ')}`);
  console.log(verdict.summary);
}

export function printOffline(verdict: OfflineVerdict): void {
  const { ok, integrity, completeness, freshness, findings, truncated, notes, tenants, days, rows, newestDay } =
    verdict;
  printFindings(findings, truncated, notes);
  console.log(
    `integrity ${integrity}, completeness ${completeness}, freshness ${freshness}: newest sealed day ${newestDay ?? 'none'}`,
  );
  const seen = `${count(rows, 'row')} in ${count(days, 'day')} of ${count(tenants, 'tenant')} at ${verdict.address}`;
  console.log(ok ? `Verified: ${seen}.` : `NOT VERIFIED: ${count(findings.length, 'finding')} in ${seen}.`);
}

export function printProof({ ok, proved, findings, notes }: EventProofVerdict): void {
  for (const note of notes) console.log(oneLine(`note: ${note}`));
  for (const { kind, detail } of findings) console.log(oneLine(`${kind}: ${detail}`));
  if (proved !== undefined) {
    const { tenant, day, sequence, receivedAt, event } = proved;
    console.log(`tenant ${tenant}, day ${day}, sequence ${sequence}, received ${receivedAt}\n${oneLine(event)}`);
  }
  console.log(ok ? 'Verified: the event stands where it was signed.' : 'NOT VERIFIED.');
}

function printFindings(findings: readonly Finding[], truncated: boolean, notes: readonly string[]): void {
  for (const note of notes) console.log(oneLine(`note: ${note}`));
  for (const finding of findings) console.log(oneLine(sentence(finding)));
  if (truncated) console.log('There is more than is listed.');
}

/** `source: tenant …, day …, sequence …: kind (aspect): detail`, as far as there is each. */
function sentence({ where, aspect, kind, tenant, day, throughDay = day, sequence, through, detail }: Finding): string {
  const range = (from: string | number, to: string | number): string => (from === to ? `${from}` : `${from} to ${to}`);
  const place = [
    ...(tenant === '' ? [] : [tenant === 'platform' ? tenant : `tenant ${tenant}`]),
    ...(day === undefined || throughDay === undefined ? [] : [`day ${range(day, throughDay)}`]),
    ...(sequence === 0 ? [] : [`sequence ${range(sequence, through)}`]),
  ];
  return [where, ...(place.length === 0 ? [] : [place.join(', ')]), `${kind} (${aspect})`, detail].join(': ');
}

/** How far it is and how fast, rewritten in place where somebody watches. */
export function progress(): ((what: string, done: number) => void) & { end(): void } {
  const watched = process.stderr.isTTY;
  let began = performance.now();
  let shown = 0;
  let of = '';
  const tell = (what: string, done: number): void => {
    const now = performance.now();
    if (what !== of) began = now;
    of = what;
    if (!watched || now - shown < 200) return;
    shown = now;
    const rate = Math.round(done / Math.max((now - began) / 1000, 0.001));
    process.stderr.write(`\r\u001b[K${done} ${what}, ${rate}/s`);
  };
  const end = (): void => {
    if (watched) process.stderr.write('\r\u001b[K');
  };
  return Object.assign(tell, { end });
}
