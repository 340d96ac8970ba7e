import { type Log, newId, Problem } from '@steward/kernel';
import { sql, type Tenancy, type TenantContext } from '@steward/sql';
import { createLoop, type Worker } from '@steward/work';
import { carryPostings } from '../permissions.ts';
import type { BookPorts } from '../ports.ts';
import { carryOut } from './carry-out.ts';

export interface WorkerPorts extends BookPorts {
  readonly tenancy: Tenancy;
  readonly log: Log;
}

/** How often each process looks for work. Milliseconds. */
const every = 1_000;
const atOnce = 20;

interface Due extends Record<string, unknown> {
  readonly tenant_id: string;
  readonly posting_id: string;
  readonly cause_id: string | null;
  readonly correlation_id: string | null;
  /** As the database writes it, which is exacter than a date of JavaScript. */
  readonly leased_until: string;
}

/** Carries out what is due, each in a transaction of its own; answers how many were tried. */
export async function carryOutDue(ports: WorkerPorts): Promise<number> {
  const due = await ports.tenancy.pool.query<Due>(
    sql`select tenant_id, posting_id, cause_id, correlation_id, leased_until::text from bookkeeping.claim_postings(interval '1 minute', ${atOnce})`,
  );
  for (const one of due) await attempt(ports, one);
  return due.length;
}

async function attempt(ports: WorkerPorts, due: Due): Promise<void> {
  const { tenant_id: tenant, posting_id: id } = due;
  const context = ownContext(ports.tenancy, due);
  try {
    await context.require(carryPostings).write(async (tx) => carryOut(tx, ports, id, { people: false }));
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) {
      // It is tried again when its lease ends.
      ports.log.warn({ err: error, tenant, posting: id }, 'bookkeeping: a posting was interrupted');
      return;
    }
    await wait(ownContext(ports.tenancy, due), due, error);
  }
}

function ownContext(
  tenancy: Tenancy,
  { tenant_id: tenant, cause_id: causeId, correlation_id: correlationId }: Due,
): TenantContext {
  const service = { type: 'service', id: 'bookkeeping' } as const;
  const requestId = newId();
  return tenancy.systemContext({
    tenant,
    chain: [service],
    subject: service,
    caller: service,
    requestId,
    correlationId: correlationId ?? requestId,
    ...(causeId === null ? {} : { causalId: causeId }),
  });
}

/**
 * It waits with the reason, and is tried again later and later, up to a day: months are reopened and rates set. Where its lease is not as it was
 * taken, what it waits for was settled meanwhile, and it is due again already.
 */
async function wait(
  context: TenantContext,
  { posting_id: id, leased_until: leased }: Due,
  { code, detail }: Problem,
): Promise<void> {
  await context.require(carryPostings).write(async (tx) => {
    await tx.query(sql`
      update bookkeeping.posting set state = 'waiting', reason = ${code}, detail = ${(detail ?? '').slice(0, 1000)},
        attempts = attempts + 1, updated_at = clock_timestamp(),
        next_at = clock_timestamp() + least(interval '1 minute' * power(2, least(attempts, 20)), interval '1 day')
      where tenant_id = ${context.tenant}::uuid and posting_id = ${id}::uuid and state in ('due', 'waiting')
        and next_at = ${leased}::timestamptz`);
  });
}

export const createWorker = (ports: WorkerPorts): Worker =>
  createLoop({
    round: async () => ((await carryOutDue(ports)) > 0 ? 0 : every),
    failed: (err) => ports.log.warn({ err }, 'bookkeeping: a round failed'),
    retry: { first: every, longest: 30_000 },
  });
