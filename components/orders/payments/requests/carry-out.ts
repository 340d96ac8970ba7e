import { sql, type TenantContext, type TenantTransaction } from '@steward/sql';
import { askProviders } from '../../permissions.ts';
import { announcement, event } from '../../events.ts';
import { questionOf } from '../ask.ts';
import { capture } from '../capture.ts';
import { noteFigures } from '../figures.ts';
import type { ProviderRequest, RequestOutcome } from '../handlers/handler.ts';
import type { Handlers } from '../handlers/handlers.ts';
import { held, holdPayment, openOf, type Payment, selectPayments } from '../payment.ts';
import { giveUp } from '../void.ts';
import { askProvider, toldRequest } from './ask.ts';

interface Request extends ProviderRequest {
  readonly paymentId: string;
}

interface RequestRow {
  readonly payment_id: string;
  readonly kind: ProviderRequest['kind'];
  readonly amount: bigint;
  readonly attempts: number;
  readonly source_kind: string;
  readonly source_id: string;
}

/** Seconds that nobody else asks, longer than all questions of one request may take. */
const lease = 120;
/** Seconds, of the first and of any. */
const rest = { first: 2, longest: 3600 } as const;

/**
 * Has a provider do what was written down, exactly once however often and by how many it is called: it is asked between two transactions, under
 * the id of the request, and what it answers is noted by whoever is first.
 */
export async function carryOut(context: TenantContext, requestId: string, handlers: Handlers): Promise<void> {
  const scope = context.require(askProviders);
  const leased = await scope.write(async (tx) => {
    const [row] = await tx.query<RequestRow & Record<string, unknown>>(sql`
      update orders.payment_request set attempts = attempts + 1, next_at = clock_timestamp() + make_interval(secs => ${lease})
      where tenant_id = ${context.tenant}::uuid and request_id = ${requestId}::uuid and state = 'asked' and next_at <= clock_timestamp()
        -- What goes back is what an operation says, which the log has.
        and (kind = 'capture' or exists (select from orders.payment_operation o where o.tenant_id = payment_request.tenant_id
          and o.operation_id = payment_request.request_id and o.kind = payment_request.kind and o.amount = payment_request.amount)
        -- Or of what was declined, where nothing was taken.
          or kind = 'void' and exists (select from orders.payment p where p.tenant_id = payment_request.tenant_id
            and p.payment_id = payment_request.payment_id and p.state = 'declined'))
      returning payment_id, kind, amount, attempts, source_kind, source_id`);
    if (row === undefined) return undefined;
    const [payment] = await tx.query(selectPayments('p.payment_id = $2::uuid', context.tenant, row.payment_id));
    return payment === undefined ? undefined : { row, payment: held.read(payment) };
  });
  if (leased === undefined) return;
  const { row, payment } = leased;
  const request: Request = {
    id: requestId,
    kind: row.kind,
    amount: BigInt(row.amount),
    attempt: Number(row.attempts),
    paymentId: row.payment_id,
  };
  const handler = handlers.get(payment.handler);
  const outcome: RequestOutcome =
    (await handler?.carryOut?.(questionOf(payment), request, context)) ?? ({ kind: 'unknown' } as const);
  await scope.write(async (tx) => settleRequest(tx, requestId, outcome));
}

/** Notes what became of a request; one that was settled never changes by this, but for money that fails to go back after it was taken. Whether anything changed. */
export async function settleRequest(
  tx: TenantTransaction,
  requestId: string,
  outcome: RequestOutcome,
): Promise<boolean> {
  const { tenant } = tx.context;
  const before = await heldRequest(tx, requestId);
  if (before === undefined) return false;
  const { row, state, payment } = before;
  const amount = BigInt(row.amount);
  const failsLate = state === 'done' && row.kind !== 'capture' && outcome.kind === 'refused';
  if (state !== 'asked' && !failsLate) return false;
  if (outcome.kind === 'unknown') {
    const seconds = Math.min(rest.longest, rest.first * 2 ** Math.min(Number(row.attempts) - 1, 20));
    await tx.query(sql`
      update orders.payment_request set next_at = clock_timestamp() + make_interval(secs => ${Math.max(seconds, (outcome.retryAfter ?? 0) / 1000)}),
        updated_at = clock_timestamp()
      where tenant_id = ${tenant}::uuid and request_id = ${requestId}::uuid`);
    return false;
  }
  await tx.query(sql`
    update orders.payment_request set state = ${outcome.kind}, reason = ${outcome.kind === 'refused' ? outcome.reason : null},
      updated_at = clock_timestamp()
    where tenant_id = ${tenant}::uuid and request_id = ${requestId}::uuid`);
  const request: Request = {
    id: requestId,
    kind: row.kind,
    amount,
    attempt: Number(row.attempts),
    paymentId: payment.id,
  };
  if (row.kind === 'capture') await settleCapture(tx, payment, { ...request, outcome }, row);
  if (outcome.kind === 'refused') tellRefused(tx, payment, request, outcome.reason);
  if (payment.orderId !== null) await noteFigures(tx, payment.orderId);
  return true;
}

interface ToldRefund {
  readonly requestId: string;
  readonly reference: string;
  /** By which it is told: what is told by one account is no news of another, as of a live one by that for tests. */
  readonly connectionId: string | null;
}

/**
 * Notes what the provider says of a refund that it was asked for, of the payment that it calls so. The id of the payment, where that is news.
 */
export async function settleRefund(
  tx: TenantTransaction,
  { requestId, reference, connectionId }: ToldRefund,
  outcome: RequestOutcome,
): Promise<string | undefined> {
  const before = await heldRequest(tx, requestId);
  if (before === undefined || before.row.kind === 'capture') return undefined;
  if (before.payment.reference !== reference || before.payment.connectionId !== connectionId) return undefined;
  return (await settleRequest(tx, requestId, outcome)) ? before.payment.id : undefined;
}

/** Order, payment and request, locked in this order as by everybody who changes payments of orders. */
async function heldRequest(tx: TenantTransaction, requestId: string) {
  const { tenant } = tx.context;
  const [found] = await tx.query<{ payment_id: string; order_id: string | null }>(sql`
    select p.payment_id, p.order_id from orders.payment_request r
    join orders.payment p on p.tenant_id = r.tenant_id and p.payment_id = r.payment_id
    where r.tenant_id = ${tenant}::uuid and r.request_id = ${requestId}::uuid`);
  if (found === undefined) return undefined;
  await tx.query(sql`
    select from orders.sales_order where tenant_id = ${tenant}::uuid and order_id = ${found.order_id}::uuid for no key update`);
  const payment = await holdPayment(tx, found.payment_id);
  const [row] = await tx.query<RequestRow & { state: 'asked' | 'done' | 'refused' } & Record<string, unknown>>(sql`
    select payment_id, kind, amount, attempts, source_kind, source_id, state from orders.payment_request
    where tenant_id = ${tenant}::uuid and request_id = ${requestId}::uuid for no key update`);
  return row === undefined ? undefined : { row, state: row.state, payment };
}

/** What was captured moves by the operation that says so, and the provider releases the rest. Where it captures nothing, the authorization is gone. */
async function settleCapture(
  tx: TenantTransaction,
  before: Payment,
  { id, amount, outcome }: Request & { readonly outcome: RequestOutcome },
  { source_kind: kind, source_id: sourceId }: RequestRow,
): Promise<void> {
  await tx.query(sql`
    update orders.payment set capturing = capturing - ${amount}::bigint
    where tenant_id = ${tx.context.tenant}::uuid and payment_id = ${before.id}::uuid`);
  const payment = await holdPayment(tx, before.id);
  const taken = outcome.kind === 'done' ? (outcome.amount ?? amount) : 0n;
  const own = taken < openOf(payment) ? taken : openOf(payment);
  const after = own > 0n ? await capture(tx, payment, { amount: own, source: { kind, id: sourceId } }) : payment;
  await giveUp(tx, after, { kind: 'provider', id });
  if (taken > own) await returnSurplus(tx, after);
}

/** More was taken than was open, since some was given up before: the provider is asked to give that back, by what gave it up. */
async function returnSurplus(tx: TenantTransaction, payment: Payment): Promise<void> {
  const [last] = await tx.query<{ id: string; amount: bigint; kind: string; source: string }>(sql`
    select operation_id as id, amount, source_kind as kind, source_id as source from orders.payment_operation
    where tenant_id = ${tx.context.tenant}::uuid and payment_id = ${payment.id}::uuid and kind = 'void' order by operation_id desc limit 1`);
  if (last === undefined) return;
  const source = { kind: last.kind, id: last.source };
  await askProvider(tx, payment, { id: last.id, kind: 'void', amount: BigInt(last.amount), source });
}

function tellRefused(tx: TenantTransaction, payment: Payment, request: Request, reason: string): void {
  const { id: paymentId, orderId, mode } = payment;
  const { id: requestId, kind } = request;
  tx.record(event('commerce.payment.refused', { ...toldRequest(payment, request), reason }));
  tx.publish(announcement('commerce.payment.refused', { paymentId, orderId, requestId, kind, mode }));
}
