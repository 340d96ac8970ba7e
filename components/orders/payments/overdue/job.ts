import type { Log } from '@steward/kernel';
import { sql, type Tenancy } from '@steward/sql';
import { createLoop, type Worker } from '@steward/work';
import { ofPlatform } from '../requests/job.ts';
import { cancelOverdue, type OverduePorts, postpone } from './cancel.ts';

const most = 50;
/** Milliseconds. */
const rests = { idle: 60_000, first: 2000, longest: 60_000 } as const;

/** Cancels what is due, of all tenants. One that fails keeps none of the others waiting. @returns how many were due */
export async function cancelAllOverdue(tenancy: Tenancy, ports: OverduePorts, log: Pick<Log, 'warn'>): Promise<number> {
  const due = await tenancy.pool.query<{ o_tenant: string; o_payment: string }>(
    sql`select o_tenant, o_payment from orders.overdue_payments(${most})`,
  );
  for (const { o_tenant: tenant, o_payment: paymentId } of due) {
    const context = ofPlatform(tenancy, tenant);
    try {
      await cancelOverdue(context, paymentId, ports);
    } catch (err) {
      log.warn({ err, tenant, paymentId }, 'orders: cancelling what was not paid by its day failed');
      await postpone(context, paymentId).catch((again: unknown) =>
        log.warn({ err: again, tenant, paymentId }, 'orders: looking at it later failed'),
      );
    }
  }
  return due.length;
}

export const createOverdueOrders = (tenancy: Tenancy, ports: OverduePorts, log: Pick<Log, 'warn'>): Worker =>
  createLoop({
    round: async () => ((await cancelAllOverdue(tenancy, ports, log)) === most ? 0 : rests.idle),
    failed: (err) => log.warn({ err }, 'orders: looking for what was not paid by its day failed'),
    retry: rests,
  });
