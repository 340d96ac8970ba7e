import { fail } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { type DoorState, type Holding, type Shop } from '../carts/cart.ts';
import { doorStateText } from '../carts/door-state.ts';
import { serveBuyers } from '../permissions.ts';
import { holdSession, sessionFrom } from './session.ts';

/** What a door keeps with a checkout from now on, which may have ended; nothing else of it changes. @throws Problem `not_found` (404) */
export async function keepDoorState(
  context: TenantContext,
  shop: Shop,
  holding: Holding,
  state: DoorState,
): Promise<void> {
  await context.require(serveBuyers).write(async (tx) => {
    const { id } = sessionFrom(await holdSession(tx, holding.id), shop, holding);
    const [kept] = await tx.query<{ checkout_id: string }>(sql`
      update checkout.session set door_state = ${doorStateText(state)}::jsonb
      where tenant_id = ${context.tenant}::uuid and checkout_id = ${id}::uuid returning checkout_id`);
    if (kept === undefined) throw fail('not_found', 'There is no such checkout.');
  });
}
