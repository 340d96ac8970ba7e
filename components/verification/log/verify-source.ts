import type { Unrecorded } from '../days/compare-days.ts';
import { readParts } from '../parts/threads.ts';
import type { Against } from '../parts/connections.ts';
import { type Finding, Findings } from './finding.ts';
import { planParts } from '../parts/plan.ts';
import { openReader } from '../parts/reader.ts';

export interface VerifyOptions {
  /** The owner's login, or any that may act as the verifier role. */
  readonly ownerUrl: string;
  /** Only this tenant. */
  readonly tenant?: string;
  /** Tenants that must have a chain, from a source of their own: without it a tenant deleted whole is not missed. */
  readonly expected?: readonly string[];
  /** Also canonicalize every text again. Without it, a text that was hashed is believed to be canonical. */
  readonly canonical?: boolean;
  /** Threads that read at the same time, each on two connections; 1 without. */
  readonly workers?: number;
  /** Also compare the rows of sealed days with what was signed. */
  readonly against?: Omit<Against, 'today'>;
  readonly onProgress?: (progress: { readonly tenants: number; readonly events: number }) => void;
  readonly signal?: AbortSignal;
}

export interface Verdict {
  readonly ok: boolean;
  readonly tenants: number;
  readonly events: number;
  readonly findings: readonly Finding[];
  /** There is more wrong than is listed. */
  readonly truncated: boolean;
}

export interface SourceVerdict extends Verdict {
  /** Sealed days that were compared. */
  readonly days: number;
  /** Days that are signed and that the database did not remember. */
  readonly unrecorded: readonly Unrecorded[];
  /** The highest incarnation of a signed day. */
  readonly incarnation: number;
  readonly notes: readonly string[];
}

/**
 * Recomputes every chain as it was at one moment: text, hashes, order, completeness up to the head, search columns, keys.
 * It reads as it goes and holds a few thousand rows at most. What it cannot see in the database alone: a chain
 * recomputed to its head, a tail cut together with head and keys, a restored backup.
 */
export async function verifyChains(options: Omit<VerifyOptions, 'against'>): Promise<Verdict> {
  const { ok, tenants, events, findings, truncated } = await verifySource(options);
  return { ok, tenants, events, findings, truncated };
}

/** @throws Unreachable where the archive to compare with cannot be read */
export async function verifySource(options: VerifyOptions): Promise<SourceVerdict> {
  const { ownerUrl, tenant, expected = [], canonical = false, workers = 1, against, onProgress, signal } = options;
  const client = await openReader({ ownerUrl });
  try {
    const { rows } = await client.query<{ snapshot: string; today: string; role: string }>(
      `select pg_export_snapshot() as snapshot, to_char(now(), 'YYYY-MM-DD') as today,
         current_user as role`,
    );
    const { snapshot, today, role } = rows[0] ?? { snapshot: '', today: '', role: '' };
    const plan = await planParts(client, { workers, tenant, whole: against !== undefined });
    let done = 0;
    const results = await readParts({ ownerUrl, role, snapshot }, plan.parts, {
      canonical,
      workers,
      against: against === undefined ? undefined : { ...against, today },
      onProgress: (events) => onProgress?.({ tenants: plan.tenants.size, events: (done += events) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const findings = new Findings();
    for (const result of results) findings.join(result);
    for (const missing of new Set(expected)) {
      if (!plan.tenants.has(missing))
        findings.add({ tenant: missing, kind: 'no_chain', sequence: 0, detail: 'the tenant has no chain' });
    }
    const sum = (pick: (result: (typeof results)[number]) => number): number =>
      results.reduce((total, result) => total + pick(result), 0);
    const [tenants, events] = [sum((result) => result.tenants), sum((result) => result.events)];
    onProgress?.({ tenants, events });
    const { list, truncated } = findings;
    return {
      ok: list.length === 0,
      tenants,
      events,
      days: sum((result) => result.days),
      findings: list,
      notes: results.flatMap(({ notes }) => notes),
      unrecorded: results.flatMap(({ unrecorded }) => unrecorded),
      incarnation: Math.max(1, ...results.map(({ incarnation }) => incarnation)),
      truncated,
    };
  } finally {
    await client.end();
  }
}
