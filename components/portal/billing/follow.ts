import { NeverApplies, type Became, type Delivery, type Projection } from '@steward/callbacks';
import { sql, type TenantContext, type TenantTransaction } from '@steward/sql';
import { event } from '../events.ts';
import { operateTenant } from '../permissions.ts';
import { lockAccount, selectAccount, type AccountRow } from './account.ts';
import { lockBilling, type BillingRow } from './billing.ts';
import { moveTo, type MovePorts } from './move.ts';
import { idOf, objectOf } from './object.ts';
import type { BillingProvider } from './provider.ts';
import type { Dispute, Subscription } from './presented.ts';
import {
  heardOf,
  isSameHeard,
  isSameStanding,
  selectDisputes,
  standingOf,
  type DisputeRow,
  type Heard,
} from './standing.ts';

/** What the provider says now. */
interface Said {
  /** Of two answers the one to the later question is the later one: whatever was announced before it was asked, it tells. */
  readonly reading: bigint;
  readonly customer: string;
  readonly subscriptions: readonly Subscription[];
  readonly dispute: Dispute | undefined;
}

interface FollowPorts extends MovePorts {
  readonly provider: BillingProvider;
}

/**
 * Has a tenant billed as the provider says. The event only says that something changed: what it says itself may be long over, and may name
 * another tenant in its metadata. So all that counts is asked of the provider, about the customer that is this tenant's.
 */
export const followSubscription = (ports: FollowPorts): Projection<Said | undefined> => ({
  fetch: async (context, _delivery, signal) => ask(ports, context, undefined, signal),
  apply: async (tx, _delivery, said) => apply(ports, tx, said),
});

/** The same with a payment that its bank was asked to take back. */
export const followDispute = (ports: FollowPorts): Projection<Said | undefined> => ({
  fetch: async (context, delivery, signal) => ask(ports, context, disputeOf(delivery), signal),
  apply: async (tx, _delivery, said) => apply(ports, tx, said),
});

function disputeOf(delivery: Delivery): string {
  const id = idOf(objectOf(delivery.data)['id']);
  if (id === undefined) throw new NeverApplies('The event names no dispute.');
  return id;
}

async function ask(
  { provider }: FollowPorts,
  context: TenantContext,
  disputeId: string | undefined,
  signal: AbortSignal,
): Promise<Said | undefined> {
  const [drawn, found] = await context
    .require(operateTenant)
    .readAll([sql`select nextval('portal.billing_reading') as reading`, selectAccount]);
  const reading = drawn?.[0]?.['reading'] as bigint;
  const customer = (found as AccountRow[] | undefined)?.[0]?.customer_id;
  if (customer === undefined) return undefined;
  const dispute = disputeId === undefined ? undefined : await provider.dispute(disputeId, signal);
  if (dispute !== undefined && dispute.customer !== customer)
    throw new NeverApplies('The dispute is about a payment of another customer.');
  return { reading, customer, dispute, subscriptions: await provider.subscriptions(customer, signal) };
}

async function apply(ports: FollowPorts, tx: TenantTransaction, said: Said | undefined): Promise<readonly Became[]> {
  const [account] = await tx.query<AccountRow>(lockAccount);
  // The tenant has become another customer since.
  if (said === undefined || account?.customer_id !== said.customer) return [];
  const disputes = await tx.query<DisputeRow>(selectDisputes);
  const before = standingOf(account, disputes, ports.plans);
  await tx.mark();
  const heard = await hear(ports, tx, account, said);
  const after = standingOf(heard, await noteDispute(tx, disputes, said), ports.plans);
  // What an operator did meanwhile stands until the provider has something new to say.
  if (after === undefined || isSameStanding(before, after)) return [];
  const [row] = await tx.query<BillingRow>(lockBilling);
  if (row === undefined) return [];
  await moveTo(tx, row, after, ports);
  return [{ kind: 'organization', id: tx.context.tenant }];
}

/** Keeps what is new of the subscription, with its event. */
async function hear({ plans }: FollowPorts, tx: TenantTransaction, account: AccountRow, said: Said): Promise<Heard> {
  if (said.reading <= account.reading) return account;
  const heard = heardOf(said.subscriptions, plans) ?? account;
  const { subscription_id: id, subscription_tier: tier, standing, began_at: began, past_due_since: since } = heard;
  await tx.query(sql`
    update portal.billing_account set subscription_id = ${id}, subscription_tier = ${tier}, standing = ${standing},
      began_at = ${began?.toISOString() ?? null}::timestamptz, past_due_since = ${since?.toISOString() ?? null}::timestamptz,
      reading = ${said.reading}::bigint`);
  if (id !== null && tier !== null && standing !== null && began !== null && !isSameHeard(account, heard))
    tx.record(
      event('portal.billing.subscription_changed', {
        subscription_id: id,
        tier,
        standing,
        began_at: began.toISOString(),
        past_due_since: since?.toISOString() ?? null,
      }),
    );
  return heard;
}

async function noteDispute(
  tx: TenantTransaction,
  known: readonly DisputeRow[],
  { dispute, reading }: Said,
): Promise<readonly DisputeRow[]> {
  if (dispute === undefined) return known;
  const { id, status, openedAt } = dispute;
  const held = known.find(({ dispute_id: one }) => one === id);
  if (held !== undefined && held.reading >= reading) return known;
  await tx.query(sql`
    insert into portal.billing_dispute (tenant_id, dispute_id, status, opened_at, reading)
    values (${tx.context.tenant}::uuid, ${id}, ${status}, ${openedAt.toISOString()}::timestamptz, ${reading}::bigint)
    on conflict (tenant_id, dispute_id) do update set status = excluded.status, opened_at = excluded.opened_at, reading = excluded.reading`);
  if (held?.status !== status || held.opened_at.getTime() !== openedAt.getTime())
    tx.record(event('portal.billing.dispute_changed', { dispute_id: id, status, opened_at: openedAt.toISOString() }));
  return [
    ...known.filter(({ dispute_id: one }) => one !== id),
    { dispute_id: id, status, opened_at: openedAt, reading },
  ];
}
