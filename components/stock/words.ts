import { z } from 'zod';

export const modes = ['live', 'test'] as const;
export type Mode = (typeof modes)[number];

/** `continue`: a sale goes on when there is none. */
export const policies = ['deny', 'continue'] as const;
export type Policy = (typeof policies)[number];

/** Why stock is adjusted; `received` is taken from what is incoming. */
export const reasons = ['received', 'correction', 'damaged', 'lost', 'found', 'returned', 'used', 'other'] as const;

export const kinds = [
  'adjust',
  'receive',
  'count',
  'expect',
  'transfer',
  'reserve',
  'release',
  'expire',
  'ship',
  'restock',
  'open',
] as const;
export type Kind = (typeof kinds)[number];

/** Of one line. */
export const mostQuantity = 1_000_000_000;
/** Of one level. */
export const mostOfLevel = 1_000_000_000_000;
/** What the pieces of one line cost, and what is on hand of one item: minor units of the base currency. */
export const mostCost = 10n ** 15n - 1n;
export const mostValue = 10n ** 17n;
/** Lines in one call. */
export const mostLines = 500;

export const quantity = z.int().min(1).max(mostQuantity);

export const mode = z
  .enum(modes)
  .default('live')
  .meta({ description: 'test: the stock that orders of test keys take from.' });
