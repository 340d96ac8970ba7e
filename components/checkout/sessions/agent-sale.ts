import { sql, type TenantTransaction } from '@steward/sql';
import type { Mode } from '@steward/stock';
import type { DoorState } from '../carts/cart.ts';

/** A checkout of an agent that became an order. */
export interface AgentSale {
  readonly checkoutId: string;
  readonly agentId: string;
  readonly brandId: string;
  readonly mode: Mode;
  /** What its door keeps with it. */
  readonly doorState: DoorState | undefined;
}

/** Undefined: no agent placed the order. */
export async function agentSaleOf(tx: TenantTransaction, orderId: string): Promise<AgentSale | undefined> {
  const [row] = await tx.query<{
    checkout_id: string;
    agent_id: string;
    brand_id: string;
    mode: Mode;
    door_state: DoorState | null;
  }>(sql`
    select checkout_id, agent_id, brand_id, mode, door_state from checkout.session
    where tenant_id = ${tx.context.tenant}::uuid and order_id = ${orderId}::uuid and agent_id is not null`);
  if (row === undefined) return undefined;
  const { checkout_id: checkoutId, agent_id: agentId, brand_id: brandId, mode, door_state } = row;
  return { checkoutId, agentId, brandId, mode, doorState: door_state ?? undefined };
}
