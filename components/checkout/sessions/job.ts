import { type Log, newId } from '@steward/kernel';
import { sql, type Tenancy, type TenantContext } from '@steward/sql';
import { createLoop, type Worker } from '@steward/work';
import { lifetimes } from '../lifetimes.ts';
import type { SessionDeps } from './deps.ts';
import { resume } from './pay.ts';

const most = 500;
/** Milliseconds. */
const every = 60_000;

/** Whose work it is that nobody asked for. */
function ofPlatform(tenancy: Tenancy, tenant: string): TenantContext {
  const itself = { type: 'system', id: 'checkout' } as const;
  const requestId = newId();
  return tenancy.systemContext({
    tenant,
    chain: [itself],
    subject: itself,
    caller: itself,
    requestId,
    correlationId: requestId,
  });
}

/**
 * Follows up payments of checkouts that nobody came back to, and forgets what was left. One that fails keeps none of the others waiting.
 * @param rest how long one that is completing is left to those who ask for it; milliseconds
 * @returns how many were followed up
 */
export async function followUp(
  tenancy: Tenancy,
  deps: SessionDeps,
  log: Pick<Log, 'warn'>,
  rest: number = lifetimes.unattended,
): Promise<number> {
  const due = await tenancy.pool.query<{ o_tenant: string; o_checkout: string }>(
    sql`select o_tenant, o_checkout from checkout.unfinished(make_interval(secs => ${rest / 1000}), ${most})`,
  );
  for (const { o_tenant: tenant, o_checkout: checkoutId } of due)
    await resume(ofPlatform(tenancy, tenant), checkoutId, deps).catch((err: unknown) =>
      log.warn({ err, tenant, checkoutId }, 'checkout: following up a payment failed'),
    );
  return due.length;
}

/** Answers how many rows it deleted. */
export async function tidy(tenancy: Pick<Tenancy, 'pool'>): Promise<number> {
  const [row] = await tenancy.pool.query<{ gone: number }>(
    sql`select checkout.tidy(make_interval(secs => ${lifetimes.answer / 1000}), make_interval(secs => ${lifetimes.ended / 1000}), ${most}) as gone`,
  );
  return row?.gone ?? 0;
}

export function createFollowUp(tenancy: Tenancy, deps: SessionDeps, log: Pick<Log, 'warn'>): Worker {
  return createLoop({
    round: async () => {
      await followUp(tenancy, deps, log);
      while ((await tidy(tenancy)) >= most);
      return every;
    },
    failed: (err) => log.warn({ err }, 'checkout: following up failed'),
    retry: { first: every, longest: every },
  });
}
