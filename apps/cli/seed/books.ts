import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../demo/client.ts';
import { type Hand, listOf, textOf } from './client.ts';
import type { Delivery } from './deliveries.ts';
import type { Chances } from './random.ts';
import { approve, type Moved } from './year.ts';

const day = 86_400_000;
const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

interface Setting {
  readonly bookkeeper: Hand;
  readonly owner: Hand;
  readonly chances: Chances;
  readonly deliveries: readonly Delivery[];
  readonly now: number;
  at(milliseconds: number | undefined): void;
}

/** What is paid each month, to whom and for what: [who, for what, least and most in EUR, account]. */
const monthly = [
  ['Atelierhaus Neukölln', 'Workshop rent', 780, 780, '6100'],
  ['DHL Paket', 'Parcels', 90, 240, '6860'],
  ['Stadtwerke', 'Electricity, kiln', 140, 260, '6200'],
  ['Berliner Bank', 'Account charges', 9, 12, '6900'],
] as const;
const capital = { amount: '950.00', who: 'Alice Lindgren', reference: 'Owner puts in', account: '3000' };

interface Line extends Moved {
  /** Of what no document is about. */
  readonly account?: string;
}

const patience = 120_000;

/** The server puts orders into the books by itself, which takes a while: it is waited for as long as it goes on. */
async function posted(setting: Setting): Promise<void> {
  const { bookkeeper, now } = setting;
  let [before, since] = ['', Date.now()];
  while (Date.now() - since < patience) {
    const { currencies, costs } = await bookkeeper.call('commerce/fulfilment', 'service_reconcile_orders', {
      from: dateOf(now - 366 * day),
      to: dateOf(now),
    });
    const left = [
      ...listOf(currencies).flatMap((sum) => [sum['not_invoiced'], sum['not_paid']]),
      costs?.['not_posted'],
    ].map((one) => one?.['amount']);
    if (left.every((amount) => Number(amount) === 0)) return;
    const is = JSON.stringify(left);
    if (is !== before) [before, since] = [is, Date.now()];
    // The server may have been quick: what was invoiced before it was cancelled is credited, which people approve.
    for (const one of await awaiting(setting, 'cancellation')) await carryOut(setting, one);
    await sleep(1000);
  }
  throw new RangeError('The server has put no order into the books for two minutes: is it running?');
}

/** Statements of the bank, whose lines the bookkeeper matches with payments and posts as expenses; those of the last days wait. */
export async function keepBooks(
  setting: Setting,
  moved: readonly Moved[],
): Promise<{ lines: number; waiting: number }> {
  const { bookkeeper, chances, deliveries, now, at } = setting;
  await posted(setting);
  await settleRefunds(setting);
  const first = now - 360 * day;
  const expenses = Array.from({ length: 12 }, (_none, month) =>
    monthly.map(([who, what, least, most, account], index): Line => ({
      at: first + (month * 30 + index * 3) * day,
      amount: `-${chances.whole(least, most)}.${least === most ? '00' : String(chances.whole(10, 99))}`,
      who,
      reference: what,
      account,
    })),
  ).flat();
  // Goods that come in are stock, and cost something when they leave.
  const bills = deliveries.map(({ at: when, who, what, cost }): Line => ({
    at: when,
    amount: `-${(cost / 100).toFixed(2)}`,
    who,
    reference: what,
    account: '1200',
  }));
  const turnover = [...moved, ...expenses, ...bills].filter((line) => line.at < now).toSorted((a, b) => a.at - b.at);
  const lines = [{ ...capital, at: first - 4 * day }, ...putIn(turnover), ...turnover].toSorted((a, b) => a.at - b.at);
  const known = new Map<string, Line>(lines.map((line) => [keyOf(dateOf(line.at), line.amount, line.reference), line]));
  const entries = await paymentsBy(bookkeeper);
  const matchedUntil = dateOf(now - 9 * day);
  let waiting = 0;
  for (let from = first - 10 * day; from < now; from += 30 * day) {
    const some = lines.filter((line) => line.at >= from && line.at < from + 30 * day);
    if (some.length === 0) continue;
    const importedAt = Math.min(from + 30 * day + 7 * 3_600_000, now);
    at(importedAt);
    await bookkeeper.call('accounting', 'service_import_bank_statement', {
      account: '1000',
      format: 'csv',
      content: csvOf(some),
    });
    const { lines: imported } = await bookkeeper.call('accounting', 'service_list_bank_lines', {
      account: '1000',
      from: dateOf(from),
      to: dateOf(from + 30 * day),
      limit: 200,
    });
    for (const line of listOf(imported)) {
      if (Number(line['unmatched']?.['amount']) === 0) continue;
      const [date, amount, reference] = [
        textOf(line['day']),
        textOf(line['amount']?.['amount']),
        textOf(line['reference']),
      ];
      const ours = known.get(keyOf(date, amount, reference));
      if (ours === undefined || dateOf(ours.at) > matchedUntil) {
        waiting += 1;
        continue;
      }
      const entry = entries.get(keyOf('', amount, reference.replace('Refund ', '')))?.shift();
      if (ours.account !== undefined)
        await bookkeeper.call('accounting/bank', 'service_post_bank_line', {
          line_id: line['id'],
          account: ours.account,
          narration: `${ours.reference}, ${ours.who}`,
        });
      else if (entry !== undefined)
        await bookkeeper.call('accounting', 'service_match_bank_line', {
          line_id: line['id'],
          entries: [{ entry_id: entry }],
        });
      else waiting += 1;
    }
  }
  at(undefined);
  return { lines: lines.length, waiting };
}

/**
 * What an owner puts in, beside the first, so that the account is never overdrawn, however little is sold: each time as much as the
 * bookkeeper may post alone, on a day of its own.
 */
function putIn(turnover: readonly Moved[]): Line[] {
  const given = Number(capital.amount);
  const days = new Set<string>();
  const lines: Line[] = [];
  let balance = given;
  for (const { at, amount } of turnover) {
    balance += Number(amount);
    for (let before = at - day; balance < 0; before -= day) {
      if (days.has(dateOf(before))) continue;
      days.add(dateOf(before));
      lines.push({ ...capital, at: before });
      balance += given;
    }
  }
  return lines;
}

const keyOf = (...parts: readonly string[]): string => parts.join('|');

const csvOf = (lines: readonly Line[]): string =>
  [
    'Booking date,Amount,Description,Payee,Reference',
    ...lines.map(({ at, amount, who, reference, account }) =>
      [dateOf(at), amount, account === undefined ? 'Transfer' : 'Direct debit', `"${who}"`, `"${reference}"`].join(','),
    ),
  ].join('\n');

/** Entries of payments by their amount, with a sign, and the number of their order. */
async function paymentsBy(bookkeeper: Hand): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (let cursor: Json | undefined; ;) {
    const page = await bookkeeper.call('accounting/sales', 'service_list_payments', {
      limit: 100,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const one of listOf(page['payments'])) {
      const sign = textOf(one['direction']) === 'made' ? '-' : '';
      const key = keyOf('', `${sign}${textOf(one['amount']?.['amount'])}`, textOf(one['reference']));
      found.set(key, [...(found.get(key) ?? []), textOf(one['entry_id'])]);
    }
    cursor = page['next_cursor'];
    if (cursor === undefined || cursor === null) return found;
  }
}

/** Money that leaves waits for people, also in the books: the owner approves all refunds but the last. */
async function settleRefunds(setting: Setting): Promise<void> {
  const refunds = await awaiting(setting, 'refund');
  for (const one of refunds.slice(0, -1)) await carryOut(setting, one);
}

/** What orders owe the books and only people may put into them. */
async function awaiting({ bookkeeper }: Setting, kind: 'refund' | 'cancellation'): Promise<Json[]> {
  const { postings } = await bookkeeper.call('commerce/fulfilment', 'service_list_order_postings', {
    state: 'waiting',
    limit: 100,
  });
  return listOf(postings).filter(
    (one) => textOf(one['kind']) === kind && textOf(one['reason']) === 'approval_required',
  );
}

async function carryOut({ bookkeeper, owner }: Setting, posting: Json): Promise<void> {
  const proposed = await bookkeeper.call('commerce/fulfilment', 'service_carry_out_order_posting', {
    posting_id: posting['id'],
  });
  await approve(owner, textOf(proposed['pending_action_id']));
}
