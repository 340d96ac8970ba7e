import { createHmac } from 'node:crypto';
import { type Answered, claim, keepAnswer } from '@steward/checkout';
import { fail, newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { acpFail } from '../errors.ts';
import { event } from '../events.ts';
import { serveAgents } from '../permissions.ts';
import { repeatable } from '../session/verbs.ts';
import type { Outcome } from '../shown/outcome.ts';
import type { Visit } from '../visit.ts';
import { outcomeOf } from './card.ts';
import type { DelegateGiven } from './given.ts';
import { tokenHash, tokenText } from './token.ts';

/** Days for which a token lives at most, whatever its platform says: no session lives longer. */
const mostDays = 7;
/** Those of an agent that may still be used. */
const mostTokens = 1_000;

interface Issued {
  readonly id: string;
  readonly created: string;
}

/**
 * A token to pay with once, within its allowance. Nothing of the card is kept: what becomes of a payment is decided here and now.
 * @throws Problem `not_found` (404) on a live door, `payment_token_limit` (429), `idempotency_key_reused`, `idempotency_in_flight` (409)
 */
export async function issueToken(visit: Visit, given: DelegateGiven, secret: Uint8Array): Promise<Outcome> {
  const { context, shop, key = '' } = visit;
  if (shop.mode !== 'test')
    throw fail('not_found', 'Tokens are issued here for tests alone: pay live in another way that the session offers.');
  const { tenant } = context;
  const { payment_method: card, allowance, metadata } = given;
  // There are too few numbers of cards for their plain digest to hide one.
  const meaning = createHmac('sha256', secret).update(visit.meaning).digest('hex');
  const { repeatable: asked } = repeatable({ ...visit, meaning }, 'delegate_payment', shop.agentId);
  const { answer, replayed } = await context.require(serveAgents).write(async (tx): Promise<Answered<Issued>> => {
    const before = await claim<Issued>(tx, asked);
    const answered = before();
    if (answered !== undefined) return { answer: answered, replayed: true };
    const id = newId();
    const [, , [row]] = (await tx.queryAll([
      // One after the other, or each of many at once would find room for itself.
      sql`select pg_advisory_xact_lock(hashtextextended(${`acp.payment_token ${tenant} ${shop.agentId}`}, 0))`,
      sql`delete from acp.payment_token where tenant_id = ${tenant}::uuid and agent_id = ${shop.agentId}::uuid and expires_at < clock_timestamp() - interval '1 day'`,
      sql`insert into acp.payment_token
          (tenant_id, token_id, token_sha256, brand_id, agent_id, checkout_session_id, merchant_id, max_amount, currency, outcome, expires_at)
        select ${tenant}::uuid, ${id}::uuid, ${tokenHash(tokenText(secret, id))}::bytea, ${shop.brandId}::uuid, ${shop.agentId}::uuid,
          ${allowance.checkout_session_id}, ${allowance.merchant_id}, ${allowance.max_amount}::bigint, ${allowance.currency.toUpperCase()},
          ${outcomeOf(card.number)}, least(${allowance.expires_at}::timestamptz, clock_timestamp() + make_interval(days => ${mostDays}::int))
        where (select count(*) from (select from acp.payment_token where tenant_id = ${tenant}::uuid and agent_id = ${shop.agentId}::uuid
          and used_at is null and expires_at > clock_timestamp() limit ${mostTokens}::int) held) < ${mostTokens}::int
        returning created_at as created`,
    ])) as [unknown, unknown, { created: Date }[]];
    if (row === undefined)
      throw acpFail(
        'payment_token_limit',
        'The agent has as many unused tokens as it may: use them, or wait until they end.',
      );
    tx.record(
      event('acp.payment_token.issued', {
        brand_id: shop.brandId,
        agent_id: shop.agentId,
        token_id: id,
        ...visit.proof,
      }),
    );
    const issued = { id, created: row.created.toISOString() };
    keepAnswer(tx, asked, issued, id);
    return { answer: issued, replayed: false };
  });
  const { merchant_id: merchant } = allowance;
  return {
    status: 201,
    body: {
      id: tokenText(secret, answer.id),
      created: answer.created,
      metadata: { ...metadata, merchant_id: merchant, idempotency_key: key },
    },
    replayed,
  };
}
