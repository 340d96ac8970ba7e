import type { Fixed } from '@steward/contract';
import { formatAmount } from '@steward/kernel';
import { z } from 'zod';
import { refuseAt } from '../errors.ts';
import { amountFault, positiveAmount } from '../money/read.ts';
import { amountText } from '../money/schema.ts';
import type { Item } from '../subledger/items.ts';
import { divideRounded } from '../taxes/percentage.ts';

/** What is asked of one of the two; the other is named by the verb. `itemId`: the document or payment to be set against. */
export const allocationInput = z.strictObject({ itemId: z.uuid(), amount: amountText });
export type AllocationInput = Fixed<z.output<typeof allocationInput>>;

/** The place of each in a call: doors use different names for what an allocation is set against. */
export const placesOf = (inputs: readonly AllocationInput[]): string[] =>
  inputs.map((_one, index) => `/allocations/${index}`);

/** Part of a credit that is to pay part of a charge; both as they are before it. */
export interface Planned {
  readonly credit: Item;
  readonly charge: Item;
  readonly amount: bigint;
  /** The day asked for, or the latest on which anything happened to either. */
  readonly date: string;
  /** What goes of either's base amount. They differ where the rates do. */
  readonly creditBase: bigint;
  readonly chargeBase: bigint;
}

/**
 * Sets one item against others in their order, whichever of them is the credit. Nothing is written.
 * @param items all of them, locked
 * @throws Problem `invalid_amount`, `over_allocated`, `not_matching` (422)
 */
export function plan(
  items: ReadonlyMap<string, Item>,
  own: { readonly id: string; readonly date: string },
  inputs: readonly AllocationInput[],
): Planned[] {
  const now = new Map(items);
  return inputs.map(({ itemId, amount }, index) => {
    const [mine, other] = [own.id, itemId].map((id) => now.get(id.toLowerCase()) as Item) as [Item, Item];
    const [credit, charge] = mine.nature === 'credit' ? [mine, other] : [other, mine];
    const planned = planOne(credit, charge, { amount, pointer: `/allocations/${index}`, date: own.date });
    for (const item of after(planned)) now.set(item.id, item);
    return planned;
  });
}

function planOne(
  credit: Item,
  charge: Item,
  asked: { readonly amount: string; readonly pointer: string; readonly date: string },
): Planned {
  const amount = checkMatch(credit, charge, asked);
  const date = [asked.date, credit.movedOn, charge.movedOn].reduce((latest, day) => (day > latest ? day : latest));
  return { credit, charge, amount, date, creditBase: portion(credit, amount), chargeBase: portion(charge, amount) };
}

/** Credit and charge as they are once it is done. */
const after = ({ credit, charge, amount, date, creditBase, chargeBase }: Planned): readonly [Item, Item] => [
  { ...credit, open: credit.open - amount, openBase: credit.openBase - creditBase, movedOn: date },
  { ...charge, open: charge.open - amount, openBase: charge.openBase - chargeBase, movedOn: date },
];

/** What goes of an item's base amount with part of it: in proportion, and with the last of it all that is left. */
const portion = ({ open, openBase }: Item, amount: bigint): bigint =>
  amount === open ? openBase : divideRounded(openBase * amount, open);

function checkMatch(credit: Item, charge: Item, asked: { readonly amount: string; readonly pointer: string }): bigint {
  const { currency } = charge;
  const amount = positiveAmount(asked.amount, currency, `${asked.pointer}/amount`);
  if (typeof amount !== 'bigint') throw amountFault(amount);
  if (credit.nature !== 'credit' || charge.nature !== 'charge')
    throw refuseAt(
      asked.pointer,
      'not_matching',
      'These two cannot be allocated to each other: allocate a payment received or a credit note to invoices and refunds ' +
        'of the same customer, and a payment made or a supplier credit to bills and refunds of the same supplier.',
    );
  if (credit.side !== charge.side || credit.partyId !== charge.partyId)
    throw refuseAt(asked.pointer, 'not_matching', 'The two do not belong to the same customer or supplier.');
  if (credit.currency !== currency)
    throw refuseAt(
      asked.pointer,
      'not_matching',
      `The currencies differ, ${credit.currency} and ${currency}: record the payment in ${currency}.`,
    );
  for (const { name, open, voidOn } of [charge, credit])
    if (amount > open)
      throw refuseAt(
        `${asked.pointer}/amount`,
        'over_allocated',
        voidOn === null
          ? open === 0n
            ? `${name} has no open amount: it is already paid or used up.`
            : `The open amount of ${name} is ${formatAmount(open, currency)} ${currency}: allocate no more than that.`
          : `${name} is void: choose another document or payment.`,
      );
  return amount;
}
