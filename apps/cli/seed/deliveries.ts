import type { Hand } from './client.ts';
import type { Chances } from './random.ts';
import type { Shop, Sold } from './shop.ts';

const day = 86_400_000;
const mostVariants = 4;

/** Goods that come in, and what their supplier is paid for all of them. EUR cents. */
export interface Delivery {
  readonly at: number;
  readonly who: string;
  readonly what: string;
  readonly type: Sold['type'];
  readonly cost: number;
}

/** [who, what, which goods, least and most in EUR] */
const suppliers = [
  ['Keramikbedarf Nord', 'Bisque ware and glazes', 'Ceramics', 190, 420],
  ['Hafenrösterei Import', 'Coffee', 'Coffee', 260, 610],
] as const;

/** Each month of each supplier. */
export const deliveriesOf = (chances: Chances, now: number): Delivery[] =>
  Array.from({ length: 12 }, (_none, month) =>
    suppliers.map(([who, what, type, least, most], index): Delivery => {
      const cost = chances.whole(least, most) * 100 + chances.whole(10, 99);
      return { at: now - 360 * day + (month * 30 + 3 + index * 3) * day, who, what, type, cost };
    }),
  )
    .flat()
    .filter(({ at }) => at < now);

export async function receive(packer: Hand, shop: Shop, { type, cost }: Delivery, chances: Chances): Promise<void> {
  const fitting = shop.sold.filter((one) => one.type === type);
  const among = fitting.length === 0 ? shop.sold : fitting;
  const chosen = [...new Set(Array.from({ length: mostVariants }, () => chances.of(among)))];
  const each = Math.floor(cost / chosen.length);
  await packer.call('commerce/catalogue', 'service_adjust_stock', {
    reason: 'received',
    lines: chosen.map(({ variantId, cost: one }, index) => {
      const all = index === 0 ? cost - each * (chosen.length - 1) : each;
      return {
        variant_id: variantId,
        delta: Math.max(1, Math.round(all / one)),
        cost: { amount: (all / 100).toFixed(2), currency: 'EUR' },
      };
    }),
  });
}
