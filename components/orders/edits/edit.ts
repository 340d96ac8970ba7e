import { type Fixed, moneyShape } from '@steward/contract';
import { money } from '@steward/kernel';
import { z } from 'zod';
import type { EditedOrder } from './stored.ts';
import type { Version, VersionLine } from './version.ts';

const lineFigures = z.object({
  quantity: z.int(),
  /** Before discounts, and what these take off. */
  gross: moneyShape,
  discount: moneyShape,
  net: moneyShape,
  tax: moneyShape,
  total: moneyShape,
});
const versionFigures = z.object({
  subtotal: moneyShape,
  discount: moneyShape,
  /** After its discounts, tax included. */
  shipping: moneyShape.nullable(),
  net: moneyShape,
  tax: moneyShape,
  total: moneyShape,
});

/** What an edit made of an order. */
export const orderEdit = z.object({
  id: z.uuid(),
  orderId: z.uuid(),
  /** Of the order, since then. */
  version: z.int(),
  /** All lines of both versions, as they were and as they are: null where there was or is no such line. */
  lines: z.array(
    z.object({
      id: z.uuid(),
      productId: z.uuid(),
      variantId: z.uuid(),
      title: z.string(),
      options: z.record(z.string(), z.string()),
      sku: z.string().nullable(),
      unitPrice: moneyShape,
      before: lineFigures.nullable(),
      after: lineFigures.nullable(),
    }),
  ),
  before: versionFigures,
  after: versionFigures,
  /** By how much the order costs more; below zero: less. */
  difference: moneyShape,
  /** Whether it goes to another address. */
  readdressed: z.boolean(),
  createdAt: z.string().meta({ format: 'date-time' }),
});

export function presentEdit({
  id,
  orderId,
  currency,
  version,
  readdressed,
  before,
  after,
  createdAt,
}: EditedOrder): Fixed<z.output<typeof orderEdit>> {
  const told = (minor: bigint) => money(minor, currency);
  const off = ({ discounts }: Pick<VersionLine, 'discounts'>): bigint =>
    discounts.reduce((sum, { amount }) => sum + amount, 0n);
  const lineOf = (line: VersionLine | undefined) =>
    line === undefined || line.quantity === 0
      ? null
      : {
          quantity: line.quantity,
          gross: told(line.gross),
          discount: told(off(line)),
          net: told(line.net),
          tax: told(line.tax),
          total: told(line.total),
        };
  const sums = (one: Version) => ({
    subtotal: told(one.subtotal),
    discount: told(one.discount),
    shipping: one.shipping === null ? null : told(one.shipping.total),
    net: told(one.net),
    tax: told(one.tax),
    total: told(one.total),
  });
  const was = new Map(before.lines.map((line) => [line.id, line]));
  return {
    id,
    orderId,
    version,
    lines: after.lines
      .map((line) => ({
        id: line.id,
        productId: line.productId,
        variantId: line.variantId,
        title: line.title,
        options: { ...line.options },
        sku: line.sku,
        unitPrice: told(line.unitPrice),
        before: lineOf(was.get(line.id)),
        after: lineOf(line),
      }))
      .filter((line) => line.before !== null || line.after !== null),
    before: sums(before),
    after: sums(after),
    difference: told(after.total - before.total),
    readdressed,
    createdAt: createdAt.toISOString(),
  };
}
