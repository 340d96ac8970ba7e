import { type Image, imageShape } from '@steward/catalogue';
import { money } from '@steward/kernel';
import { moneyShape } from '@steward/contract';
import { z } from 'zod';
import type { ChargedLine } from '../totals/totals.ts';

/** A line as a cart or a checkout keeps it: what it said when it was last priced. */
export interface KeptLine {
  readonly id: string;
  readonly productId: string;
  readonly variantId: string;
  readonly handle: string;
  readonly title: string;
  /** By the names of the product's options. */
  readonly options: Readonly<Record<string, string>>;
  readonly sku: string | null;
  readonly image: Image | null;
  readonly quantity: number;
  /** Minor units for one, as text. */
  readonly price: string;
}

/** A line that is to be priced; `kept` is null where it is new. */
export interface WantedLine {
  readonly id: string;
  readonly variantId: string;
  readonly quantity: number;
  readonly kept: KeptLine | null;
}

export const wantedOf = (kept: KeptLine): WantedLine => ({
  id: kept.id,
  variantId: kept.variantId,
  quantity: kept.quantity,
  kept,
});

/** A line as it is sold now, or as it was kept, where it is not sold any more. */
export interface PricedLine {
  readonly kept: KeptLine;
  /** Undefined where it is not sold any more. */
  readonly charged: ChargedLine | undefined;
  readonly taxCategory: string;
  readonly weightGrams: number | null;
  readonly requiresShipping: boolean;
  /** Minor units. */
  readonly compareAt: bigint | null;
  /** Whether so many can be bought. */
  readonly available: boolean;
}

export const shownLine = z.object({
  id: z.uuid(),
  productId: z.uuid(),
  variantId: z.uuid(),
  handle: z.string(),
  title: z.string(),
  /** By the names of the product's options. */
  options: z.record(z.string(), z.string()),
  sku: z.string().nullable(),
  /** The first picture that shows the variant, else the first of the product. */
  image: imageShape.nullable(),
  quantity: z.int(),
  unitPrice: moneyShape,
  /** What one cost before, where the price is lowered. */
  compareAtPrice: moneyShape.nullable(),
  /** After discounts; with tax where prices are with tax. */
  total: moneyShape,
  /** Whether so many can be bought now. */
  available: z.boolean(),
});
export type ShownLine = z.output<typeof shownLine>;

export function showLine({ kept, charged, compareAt, available }: PricedLine, currency: string): ShownLine {
  const { id, productId, variantId, handle, title, options, sku, image, quantity, price } = kept;
  const less = charged?.discounts.reduce((sum, { amount }) => sum + amount, 0n) ?? 0n;
  return {
    id,
    productId,
    variantId,
    handle,
    title,
    options,
    sku,
    image,
    quantity,
    unitPrice: money(charged?.unitPrice ?? BigInt(price), currency),
    compareAtPrice: compareAt === null ? null : money(compareAt, currency),
    total: money(charged === undefined ? 0n : charged.gross - less, currency),
    available,
  };
}
