import { sql, type TenantTransaction } from '@steward/sql';
import { acpFail } from '../errors.ts';
import { event } from '../events.ts';
import { serveAgents } from '../permissions.ts';
import type { Visit } from '../visit.ts';
import type { Outcome } from './card.ts';
import { tokenHash } from './token.ts';

/** What is to be paid now. */
export interface Due {
  /** Minor units. */
  readonly amount: bigint;
  readonly currency: string;
}

const param = '/payment_data/instrument/credential/token';
const refuse = (code: Parameters<typeof acpFail>[0], detail: string): Error =>
  acpFail(code, detail, { errors: [{ pointer: param, code, detail }] });
const unknown = (): Error =>
  refuse('payment_token_unknown', 'There is no such token of this agent: ask for one by delegate_payment.');

/** What becomes of a payment by a token. @throws Problem `payment_token_unknown` (400) */
export async function outcomeOfToken({ context, shop }: Visit, text: string): Promise<Outcome> {
  const [row] = await context.require(serveAgents).read<{ outcome: Outcome }>(sql`
    select outcome from acp.payment_token where tenant_id = ${context.tenant}::uuid and token_sha256 = ${tokenHash(text)}::bytea
      and brand_id = ${shop.brandId}::uuid and agent_id = ${shop.agentId}::uuid`);
  if (row === undefined) throw unknown();
  return row.outcome;
}

/**
 * Takes a token for a payment: once, in the transaction that begins to pay, and only within its allowance.
 * @throws Problem `payment_token_unknown`, `_used`, `_expired`, `_of_other_session`, `_of_other_merchant`, `_of_other_currency`, `_insufficient` (400)
 */
export async function useToken(
  tx: TenantTransaction,
  { shop }: Pick<Visit, 'shop'>,
  text: string,
  sessionId: string,
  { amount, currency }: Due,
): Promise<void> {
  const { tenant } = tx.context;
  const [row] = await tx.query<{
    token_id: string;
    checkout_session_id: string;
    merchant_id: string;
    max_amount: bigint;
    currency: string;
    used: boolean;
    expired: boolean;
  }>(sql`
    select token_id, checkout_session_id, merchant_id, max_amount, currency, used_at is not null as used, expires_at <= clock_timestamp() as expired
    from acp.payment_token where tenant_id = ${tenant}::uuid and token_sha256 = ${tokenHash(text)}::bytea
      and brand_id = ${shop.brandId}::uuid and agent_id = ${shop.agentId}::uuid for update`);
  if (row === undefined) throw unknown();
  if (row.used) throw refuse('payment_token_used', 'The token was used before, and pays once: ask for another one.');
  if (row.expired) throw refuse('payment_token_expired', 'The token has expired: ask for another one.');
  if (row.checkout_session_id !== sessionId)
    throw refuse('payment_token_of_other_session', 'The token is for another checkout session.');
  if (row.merchant_id !== shop.brandId)
    throw refuse(
      'payment_token_of_other_merchant',
      'The token is for another merchant: see merchant_id of the handler.',
    );
  if (row.currency !== currency)
    throw refuse('payment_token_of_other_currency', `The token is for ${row.currency}, and ${currency} is to be paid.`);
  if (BigInt(row.max_amount) < amount)
    throw refuse('payment_token_insufficient', 'The token allows less than the total of the session.');
  await tx.query(sql`
    update acp.payment_token set used_at = clock_timestamp() where tenant_id = ${tenant}::uuid and token_sha256 = ${tokenHash(text)}::bytea`);
  tx.record(
    event('acp.payment_token.used', {
      brand_id: shop.brandId,
      agent_id: shop.agentId,
      token_id: row.token_id,
      checkout_id: sessionId,
    }),
  );
}
