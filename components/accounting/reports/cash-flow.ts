import { heavily, operation } from '@steward/access';
import { moneyShape } from '@steward/contract';
import { money, type Money } from '@steward/kernel';
import { sql } from '@steward/sql';
import { z } from 'zod';
import type { Activity } from '../books/template.ts';
import { reads } from '../operations.ts';
import { readBooks } from '../permissions.ts';
import { dayBefore } from './cash-basis.ts';
import { movements } from './movements.ts';
import { period, spansOf } from './statements.ts';

const line = z.object({
  accountId: z.uuid(),
  code: z.string(),
  name: z.string(),
  /** What came in is positive. */
  amount: moneyShape,
  /** The same of the period compared with. */
  compared: moneyShape.nullable(),
});

const flow = z.object({
  opening: moneyShape,
  sections: z.array(
    z.object({
      activity: z.string(),
      lines: z.array(line),
      total: moneyShape,
      comparedTotal: moneyShape.nullable(),
    }),
  ),
  closing: moneyShape,
  comparedOpening: moneyShape.nullable(),
  comparedClosing: moneyShape.nullable(),
});

interface Held {
  readonly base_currency: string;
  readonly activity: Activity;
  readonly net: bigint;
}

interface Moved {
  readonly account_id: string;
  readonly code: string;
  readonly name: string;
  readonly activity: Activity;
  /** By entries that open the books, or take such back. */
  readonly opens: boolean;
  readonly amount: bigint;
}

/**
 * Where money came from and went to over a period, by the direct method: each posting between a cash account and another
 * one names that other account. Opening balances that were entered within the period move no money: they are of its opening, as what
 * takes them back is. Opening and all sections together make the closing balance.
 */
export const cashFlow = operation(
  {
    ...reads,
    requires: heavily(readBooks),
    area: 'reports',
    name: 'service_get_cash_flow',
    input: period,
    answer: flow,
  },
  async (scope, wish) => {
    const spans = spansOf(wish);
    const { tenant } = scope.context;
    const read = (await scope.readAll(
      spans.flatMap(({ from, to }) => [
        movements({ to: dayBefore(from), closing: true }),
        sql`
        select o.account_id, o.code, o.name, o.activity, coalesce(r.kind, e.kind) = 'opening' as opens,
          sum(case when c.account_id = p.debit_account_id then p.base_amount else -p.base_amount end)::bigint as amount
        from accounting.posting p
        join accounting.account c on c.tenant_id = p.tenant_id and c.activity = 'cash' and c.account_id in (p.debit_account_id, p.credit_account_id)
        join accounting.account o on o.tenant_id = p.tenant_id and o.activity <> 'cash' and o.account_id in (p.debit_account_id, p.credit_account_id)
        join accounting.entry e on e.tenant_id = p.tenant_id and e.entry_id = p.entry_id
        left join accounting.entry r on r.tenant_id = e.tenant_id and r.entry_id = e.reverses
        where p.tenant_id = ${tenant}::uuid and p.posting_date >= ${from}::date and p.posting_date <= ${to}::date
        group by o.account_id, o.code, o.name, o.activity, opens order by o.code`,
      ]),
    )) as unknown as [Held[], Moved[], Held[]?, Moved[]?];
    const [held, found, heldThen, foundThen] = read;
    const flows = (rows: readonly Moved[]): Moved[] => rows.filter(({ opens }) => !opens);
    const [moved, movedThen] = [flows(found), foundThen === undefined ? undefined : flows(foundThen)];
    const currency = held[0]?.base_currency ?? 'USD';
    const then = new Map(movedThen?.map((row) => [row.account_id, row.amount]));
    const sum = (rows: readonly Moved[]): bigint => rows.reduce((total, { amount }) => total + amount, 0n);
    const opening = (rows: readonly Held[], those: readonly Moved[]): bigint =>
      rows.reduce((total, { activity, net }) => (activity === 'cash' ? total + net : total), 0n) +
      sum(those.filter(({ opens }) => opens));
    const optional = (amount: bigint | undefined): Money | null =>
      amount === undefined ? null : money(amount, currency);
    const now = new Set(moved.map((row) => row.account_id));
    const only = (movedThen ?? []).filter(({ account_id }) => !now.has(account_id));
    const all = [...moved, ...only.map((row) => ({ ...row, amount: 0n }))].toSorted((a, b) =>
      a.code < b.code ? -1 : 1,
    );
    return {
      opening: money(opening(held, found), currency),
      sections: (['operating', 'investing', 'financing'] as const).map((activity) => {
        const own = ({ activity: of }: Moved): boolean => of === activity;
        return {
          activity,
          lines: all.filter(own).map(({ account_id, code, name, amount }) => ({
            accountId: account_id,
            code,
            name,
            amount: money(amount, currency),
            compared: optional(movedThen === undefined ? undefined : (then.get(account_id) ?? 0n)),
          })),
          total: money(sum(moved.filter(own)), currency),
          comparedTotal: optional(movedThen === undefined ? undefined : sum(movedThen.filter(own))),
        };
      }),
      closing: money(opening(held, found) + sum(moved), currency),
      comparedOpening: optional(heldThen === undefined ? undefined : opening(heldThen, foundThen ?? [])),
      comparedClosing: optional(
        heldThen === undefined ? undefined : opening(heldThen, foundThen ?? []) + sum(movedThen ?? []),
      ),
    };
  },
);
