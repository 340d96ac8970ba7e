import { asItWas, heavily, operation } from '@steward/access';
import { moneyShape } from '@steward/contract';
import { money, newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { contentOf } from '../contents.ts';
import { post } from '../journal/post.ts';
import { mirror } from '../journal/reverse.ts';
import { dayText } from '../money/schema.ts';
import { closes } from '../operations.ts';
import { closeBooks } from '../permissions.ts';
import { valuation } from '../rates/find.ts';
import { convert, formatRate, type Rate } from '../rates/rate.ts';
import { controlAccount, controlAccounts, debited } from './control.ts';
import { type ForeignBalance, foreignBalances } from './foreign-balances.ts';
import { holdBalances } from './hold.ts';
import { nextNumber } from './number.ts';
import { type OpenItem, openItems } from './open-items.ts';
import { booked, shown } from './shown.ts';
import type { Side } from './side.ts';

const ofCurrency = z.object({
  currency: z.string(),
  rate: z.string(),
  items: z.int(),
  amount: moneyShape.meta({
    description: 'What is held and owed to us, less what we owe: of what is worth more or less.',
  }),
  difference: moneyShape.meta({ description: 'In the base currency: a loss is negative.' }),
});

const revaluation = booked.extend({
  day: z.string(),
  /** Null where nothing was worth more or less than the books said. */
  id: z.uuid().nullable(),
  /** How many documents, payments and accounts were worth more or less. */
  items: z.int(),
  currencies: z.array(ofCurrency),
});

/**
 * Values open items, and balances of accounts, in other currencies at the rate of a day, such as a month's last: one entry for the unrealised gain or
 * loss, and its mirror on the next day, so that settlements continue at the rates of the documents. A repeat
 * for the same day posts what has changed since.
 * @throws Problem `rate_missing` (422), `period_closed` (409), of the next day's month too
 */
export const revalue = operation(
  {
    ...closes,
    requires: heavily(closeBooks),
    area: 'sales',
    name: 'service_revalue_open_items',
    input: z.strictObject({ day: dayText }),
    answer: revaluation,
    errors: { rate_missing: 'day', period_closed: 'day', account_unusable: null, amount_too_large: null },
  },
  async (scope, { day }) =>
    scope.write(async (tx) => {
      const { context } = scope;
      // Two at once would both post the whole difference.
      await nextNumber(tx, 'revaluation');
      const found = await tx.query<OpenItem>(openItems(context.tenant, day));
      const held = await tx.query<ForeignBalance>(foreignBalances(context.tenant, day));
      const rates = new Map<string, Rate>();
      const rateOf = async (currency: string): Promise<Rate> => {
        const rate = rates.get(currency) ?? (await valuation(tx, currency, day)).rate;
        rates.set(currency, rate);
        return rate;
      };
      const changed: { item: OpenItem; difference: bigint }[] = [];
      for (const item of found) {
        const { currency, base_currency } = item;
        if (currency === base_currency) continue;
        const difference = convert(item.open, currency, base_currency, await rateOf(currency)) - item.base;
        if (difference !== 0n) changed.push({ item, difference });
      }
      const accounts: { accountId: string; currency: string; amount: bigint; difference: bigint }[] = [];
      for (const { account_id, currency, base_currency, held: amount, base } of held) {
        if (amount === 0n && base === 0n) continue;
        const difference = convert(amount, currency, base_currency, await rateOf(currency)) - base;
        if (difference !== 0n) accounts.push({ accountId: account_id, currency, amount, difference });
      }
      const moved = (side: Side): bigint =>
        changed.reduce(
          (sum, { item, difference }) =>
            sum + (item.side === side ? (item.nature === 'charge' ? difference : -difference) : 0n),
          0n,
        );
      const [receivable, payable] = [moved('receivable'), -moved('payable')];
      const elsewhere = accounts.reduce((sum, { difference }) => sum + difference, 0n);
      if (receivable === 0n && payable === 0n && accounts.length === 0)
        return asItWas({ day, id: null, items: 0, currencies: [], entries: [], effects: [] });
      const currency = changed[0]?.item.base_currency ?? held[0]?.base_currency ?? '';
      const worth = [
        ...changed.map(({ item, difference }) => {
          const sign = (item.side === 'receivable') === (item.nature === 'charge') ? 1n : -1n;
          return { currency: item.currency, amount: sign * item.open, difference: sign * difference };
        }),
        ...accounts,
      ];
      const currencies = [...rates].flatMap(([foreign, rate]) => {
        const own = worth.filter((one) => one.currency === foreign);
        const sum = (of: 'amount' | 'difference'): bigint => own.reduce((total, one) => total + one[of], 0n);
        const [amount, difference] = [money(sum('amount'), foreign), money(sum('difference'), currency)];
        return own.length === 0
          ? []
          : [{ currency: foreign, rate: formatRate(rate), items: own.length, amount, difference }];
      });
      const controls = await controlAccounts(tx);
      const id = newId();
      const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
      const lines = [
        ...debited(controlAccount(controls, 'receivable'), receivable),
        ...debited(controlAccount(controls, 'payable'), payable),
        ...accounts.flatMap(({ accountId, difference }) => debited(accountId, difference)),
        ...debited(controlAccount(controls, 'exchange_difference'), -receivable - payable - elsewhere),
      ];
      await holdBalances(
        tx,
        lines.flatMap(({ accountId }) => [day, next].map((on) => ({ accountId, currency, day: on }))),
      );
      const posted = await post(tx, {
        date: day,
        currency,
        narration: `Revaluation of open items, ${day}`,
        kind: 'revaluation',
        sourceId: id,
        lines,
      });
      const back = await mirror(tx, posted.id, {
        date: next,
        narration: `Revaluation of ${day} taken back`,
        sourceId: id,
      });
      await tx.query(sql`
      select accounting.revalue_items(${id}::uuid, ${day}::date, ${posted.id}::uuid, ${back.id}::uuid,
        ${changed.map(({ item }) => item.item_id)}::uuid[], ${changed.map(({ difference }) => difference.toString())}::bigint[])`);
      tx.record(
        event('accounting.items.revalued', {
          revaluation_id: id,
          day,
          entry_id: posted.id,
          mirror_id: back.id,
          items: changed.length + accounts.length,
          content_sha256: await contentOf(tx, 'revaluation', id),
        }),
      );
      return {
        day,
        id,
        items: changed.length + accounts.length,
        currencies,
        ...(await shown(tx, [posted.id, back.id])),
      };
    }),
);
