import { Problem } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import type { DoorState, Shop } from '../carts/cart.ts';
import { checkoutFail } from '../errors.ts';

/** Of all room, what agents may fill whom the shop does not trust: the rest is for people on its pages. */
const ofStrangers = 0.9;

/** Of a cart or checkout in its row and in an answer, about, before the database makes it smaller. */
const bytesOf = (lines: number, state: DoorState | null): number =>
  2_000 + 1_000 * lines + (state === null ? 0 : 2 * JSON.stringify(state).length);

/**
 * Before a new cart or checkout is kept, from what this process knows. Nothing that was begun asks for room: it can be changed and bought.
 * @throws Problem `cart_limit` (429)
 */
export function takeRoom(
  context: Pick<TenantContext, 'spend'>,
  { agentId, agentTrusted = false }: Shop,
  { lines, doorState }: { readonly lines: readonly unknown[]; readonly doorState: DoorState | null },
): void {
  const share = agentId === null || agentTrusted ? 1 : ofStrangers;
  try {
    context.spend('cartBytes', bytesOf(lines.length, doorState), share);
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'quota_exceeded')) throw error;
    throw checkoutFail(
      'cart_limit',
      'The shop keeps as many carts and checkouts as it may at the moment: go on with one that was begun, or come back in a minute.',
      { headers: { 'retry-after': '60' } },
    );
  }
}
