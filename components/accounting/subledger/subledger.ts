import type { TenantContext } from '@steward/sql';
import { movements } from '../reports/movements.ts';
import { readBooks } from '../permissions.ts';
import { type OpenItem, openItems } from './open-items.ts';

/** Minor units of the base currency. */
export interface Sides {
  readonly receivable: bigint;
  readonly payable: bigint;
}

export interface Subledger {
  readonly asOf: string;
  readonly items: readonly OpenItem[];
  /** Charges less credits. */
  readonly open: Sides;
  /** What the control accounts hold, payables as what is owed. Always equal to `open`. */
  readonly control: Sides;
}

/** What customers and suppliers owe and are owed at the end of a day, beside the accounts that control it. */
export async function subledger(context: TenantContext, asOf: string): Promise<Subledger> {
  const [items, accounts] = (await context
    .require(readBooks)
    .readAll([openItems(context.tenant, asOf), movements({ to: asOf, closing: true })])) as unknown as [
    readonly OpenItem[],
    readonly { readonly control: string | null; readonly net: bigint }[],
  ];
  const open = (side: keyof Sides): bigint =>
    items.reduce((sum, item) => sum + (item.side === side ? signed(item) : 0n), 0n);
  const held = (side: keyof Sides): bigint => accounts.find(({ control }) => control === side)?.net ?? 0n;
  return {
    asOf,
    items,
    open: { receivable: open('receivable'), payable: open('payable') },
    control: { receivable: held('receivable'), payable: -held('payable') },
  };
}

/** In the base currency; credits are below nothing. */
export const signed = ({ nature, base }: Pick<OpenItem, 'nature' | 'base'>): bigint =>
  nature === 'charge' ? base : -base;
