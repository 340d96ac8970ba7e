import { type Log, newId } from '@steward/kernel';
import { sql, type Tenancy, type TenantContext } from '@steward/sql';
import { createLoop, type Worker } from '@steward/work';
import type { Handlers } from '../handlers/handlers.ts';
import { carryOut } from './carry-out.ts';

const most = 50;
/** Milliseconds. */
const rests = { idle: 1000, first: 2000, longest: 60_000 } as const;

/** A tenant as the jobs of this component act in it. */
export function ofPlatform(tenancy: Tenancy, tenant: string): TenantContext {
  const itself = { type: 'system', id: 'orders' } as const;
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

/** Has providers do what is due, of all tenants. One that fails keeps none of the others waiting. @returns how many were due */
export async function carryOutDue(tenancy: Tenancy, handlers: Handlers, log: Pick<Log, 'warn'>): Promise<number> {
  const due = await tenancy.pool.query<{ o_tenant: string; o_request: string }>(
    sql`select o_tenant, o_request from orders.due_requests(${most})`,
  );
  await Promise.all(
    due.map(async ({ o_tenant: tenant, o_request: requestId }) =>
      carryOut(ofPlatform(tenancy, tenant), requestId, handlers).catch((err: unknown) =>
        log.warn({ err, tenant, requestId }, 'payments: what a provider is asked for failed'),
      ),
    ),
  );
  return due.length;
}

export const createProviderRequests = (tenancy: Tenancy, handlers: Handlers, log: Pick<Log, 'warn'>): Worker =>
  createLoop({
    round: async () => ((await carryOutDue(tenancy, handlers, log)) === most ? 0 : rests.idle),
    failed: (err) => log.warn({ err }, 'payments: looking for what providers are asked for failed'),
    retry: rests,
  });
