import { Problem } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import type { Shop } from '../carts/cart.ts';
import { checkoutFail } from '../errors.ts';
import type { KeptSession } from './session.ts';

/**
 * How many payments of agents may fail. Whoever has stolen numbers of cards tries them out where nothing of that is counted. Those of one brand are of
 * all agents together that it does not trust, for strangers may be as many agents as they like; a trusted one is not kept from selling by them.
 */
const most = { checkout: 10, agent: 100, trusted: 1_000, brand: 200 };
const retryAfter = '600';

/** Errors by which an agent is kept from trying further payments. */
const limits: ReadonlySet<string> = new Set(['payment_attempts_spent', 'payment_attempt_limit']);
export const isAttemptLimit = (error: unknown): error is Problem => error instanceof Problem && limits.has(error.code);

/** What a payment is that has begun and whose end nobody knows: it counts until it succeeds. */
export const attempted = (session: KeptSession, { agentTrusted = false }: Shop): KeptSession =>
  session.agentId === null
    ? session
    : { ...session, attempts: session.attempts + 1, attemptedAt: 'now', attemptedTrusted: agentTrusted };

export const unattempted = { attempts: 0, attemptedAt: null, attemptedTrusted: false } as const;

/** It counts no more. What was declined before it does: who has one good card could try out others otherwise. */
export const succeeded = (session: KeptSession): KeptSession =>
  session.attempts > 1 ? { ...session, attempts: session.attempts - 1 } : { ...session, ...unattempted };

/** One more card of an agent that was refused, whatever became of the checkout meanwhile. */
export async function countAttempt(tx: TenantTransaction, id: string, { agentTrusted = false }: Shop): Promise<void> {
  await tx.query(sql`
    update checkout.session set payment_attempts = payment_attempts + 1, payment_attempted_at = clock_timestamp(),
      payment_attempted_trusted = ${agentTrusted}::boolean
    where tenant_id = ${tx.context.tenant}::uuid and checkout_id = ${id}::uuid and agent_id is not null`);
}

/**
 * Of an agent that has tried too often nothing is begun. Those that are under way at this moment in other transactions are not seen.
 * @throws Problem `payment_attempts_spent` (409), `payment_attempt_limit` (429)
 */
export async function requireAttempt(
  tx: TenantTransaction,
  session: KeptSession,
  { agentTrusted = false }: Shop,
): Promise<void> {
  const { agentId, brandId, mode, attempts } = session;
  if (agentId === null) return;
  if (attempts >= most.checkout)
    throw checkoutFail(
      'payment_attempts_spent',
      `${most.checkout} payments of this checkout did not succeed: make a new one, and have the buyer pay otherwise.`,
    );
  const [row] = await tx.query<{ agent: number; brand: number }>(sql`
    select coalesce(sum(payment_attempts) filter (where agent_id = ${agentId}::uuid), 0)::int as agent,
      coalesce(sum(payment_attempts) filter (where not payment_attempted_trusted), 0)::int as brand
    from checkout.session where tenant_id = ${tx.context.tenant}::uuid and brand_id = ${brandId}::uuid and mode = ${mode}
      and payment_attempted_at > clock_timestamp() - interval '1 hour'`);
  const { agent = 0, brand = 0 } = row ?? {};
  const full = agentTrusted ? agent >= most.trusted : agent >= most.agent || brand >= most.brand;
  if (full)
    throw checkoutFail(
      'payment_attempt_limit',
      'Too many payments of agents were declined within the hour: come back later, or have the shop trust this agent.',
      { headers: { 'retry-after': retryAfter } },
    );
}
