import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from '@steward/conformance/world';
import type { Placing } from '@steward/orders';
import { placeIn, placing } from '@steward/orders/testing';
import { openPool, sql } from '@steward/sql';
import type { Things } from './commands.ts';

const none = { treatment: 'none', taxId: null, percentage: 0n } as const;
/** Without tax, which would have to be one of the books. */
const untaxed = (order: Placing): Placing => ({
  ...order,
  lines: order.lines.map((line) => ({ ...line, net: line.total, tax: 0n, taxed: none })),
  net: order.total,
  tax: 0n,
  taxes: [{ ...none, net: order.total, tax: 0n }],
});

/** Returns once the books have a draft of it, or say why not: a follower of the bus makes it, and nothing else. */
async function drafted(url: string, orderId: string): Promise<void> {
  const admin = openPool({ url, size: 1 });
  try {
    for (let round = 0; round < 300; round += 1) {
      const [posting] = await admin.query(
        sql`select from bookkeeping.posting where order_id = ${orderId}::uuid and kind = 'invoice' and state <> 'due'`,
      );
      if (posting !== undefined) return;
      await sleep(50);
    }
    throw new Error('the books have nothing of the order');
  } finally {
    await admin.close();
  }
}

/** What checkouts do; no command places an order. */
export const ordering =
  ({ db, dataDir }: World, tenant: string): Things['order'] =>
  async (variantId, mode = 'live', method) => {
    const bought = [variantId === undefined ? { quantity: 2 } : { variantId, quantity: 2 }, {}];
    const at = { url: db.appUrl, dataDir, tenant };
    const payment = method === undefined ? undefined : { handler: method === 'invoice' ? 'manual' : 'test', method };
    const { id, lines } = await placeIn(at, untaxed(placing(bought, { mode, currency: 'USD' })), payment);
    if (mode === 'live') await drafted(db.adminUrl, id);
    return { order_id: id, line_id: String(lines[0]?.id) };
  };
