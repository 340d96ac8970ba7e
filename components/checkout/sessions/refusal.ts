import type { TenantScope, TenantTransaction } from '@steward/sql';
import { checkoutFail } from '../errors.ts';
import { type Answered, answeredBefore, keepAnswer, type Repeatable } from '../once/once.ts';
import type { Checkout } from './session.ts';

/** What a request to complete was answered: what came of it, or that nothing was bought, with the checkout that was shown instead. */
export type Completed = Checkout | { readonly changed: Checkout };

/** Keeps that a request bought nothing: sent again under its key, because its answer was lost, it buys nothing either. */
export const keepRefusal = (tx: TenantTransaction, asked: Repeatable | undefined, shown: Checkout): void =>
  keepAnswer(tx, asked, { changed: shown });

/** @throws Problem `checkout_changed` (409) */
export function requireBought(answer: Completed): Checkout {
  if ('changed' in answer) throw hasChanged(answer.changed);
  return answer;
}

/**
 * What a request to complete was answered under its key before.
 * @throws Problem `checkout_changed`, `idempotency_key_reused` (409)
 */
export async function completedBefore(
  scope: Pick<TenantScope, 'context' | 'read'>,
  asked: Repeatable | undefined,
): Promise<Answered<Checkout> | undefined> {
  const before = await answeredBefore<Completed>(scope, asked);
  return before === undefined ? undefined : { answer: requireBought(before.answer), replayed: true };
}

export const hasChanged = (checkout: Checkout): Error =>
  checkoutFail(
    'checkout_changed',
    'Nothing was bought: prices, stock, taxes, shipping or discounts are not what the buyer was shown. Show the checkout that is in this answer, and ' +
      'complete it with its total.',
    { members: { checkout } },
  );
