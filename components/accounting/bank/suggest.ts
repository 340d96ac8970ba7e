import { operation } from '@steward/access';
import { type Fixed, moneyShape } from '@steward/contract';
import { fail, money, type Money } from '@steward/kernel';
import { sql, type Statement } from '@steward/sql';
import { z } from 'zod';
import type { DocumentKind } from '../documents/kind.ts';
import { reads } from '../operations.ts';
import { type About, type Likeness, likenessTo, namedIn } from './alike.ts';
import { combine } from './combine.ts';

const part = z.object({
  entryId: z.uuid(),
  number: z.string(),
  date: z.string(),
  narration: z.string(),
  amount: moneyShape,
});

/** An entry that may explain a line, several that do so together, or an account that a rule sends it to. */
const suggestion = z.object({
  kind: z.enum(['entry', 'entries', 'rule']),
  /** 0–100; 100 is certain. */
  score: z.int(),
  /** Why, for people. */
  reason: z.string(),
  entryId: z.uuid().nullable(),
  number: z.string().nullable(),
  date: z.string().nullable(),
  narration: z.string().nullable(),
  ruleId: z.uuid().nullable(),
  accountCode: z.string().nullable(),
  amount: moneyShape,
  /** Of `entries`: each with its part, as a match takes them. */
  parts: z.array(part),
});
export type Suggestion = Fixed<z.output<typeof suggestion>>;

/** Days between an entry and the bank's booking that are still near. */
const near = 14;

/**
 * What may explain a line: entries on its account of exactly what is open of both, first those that name a document's whole number or
 * the party that the line names, then the nearest; where there is none, two, three or a day's that make it up together; then accounts
 * by rule. Nothing is changed.
 * @throws Problem `not_found` (404)
 */
export const suggest = operation(
  {
    ...reads,
    area: 'bank',
    name: 'service_suggest_bank_matches',
    input: z.strictObject({ lineId: z.uuid().meta({ description: 'From service_list_bank_lines.' }) }),
    answer: z.array(suggestion),
    errors: ['not_found'],
  },
  async (scope, { lineId }) => {
    const { tenant } = scope.context;
    const [lines, rules] = (await scope.readAll([
      sql`
      select l.amount - coalesce((select sum(m.amount) from accounting.bank_match m
          where m.tenant_id = l.tenant_id and m.line_id = l.line_id and m.undone_at is null), 0)::bigint as open,
        a.currency, concat_ws(' | ', l.description, l.counterparty, l.reference) as text
      from accounting.bank_line l join accounting.account a on a.tenant_id = l.tenant_id and a.account_id = l.account_id
      where l.tenant_id = ${tenant}::uuid and l.line_id = ${lineId}::uuid and l.withdrawn_at is null`,
      sql`
      select r.rule_id, r.contains, a.code from accounting.bank_line l
      join accounting.bank_rule r on r.tenant_id = l.tenant_id and r.archived_at is null
        and position(lower(r.contains) in lower(concat_ws(' ', l.description, l.counterparty, l.reference))) > 0
        and (r.direction = 'any' or (r.direction = 'in') = (l.amount > 0))
      join accounting.account a on a.tenant_id = r.tenant_id and a.account_id = r.target_account_id and a.archived_at is null
      where l.tenant_id = ${tenant}::uuid and l.line_id = ${lineId}::uuid
      order by length(r.contains) desc, r.created_at limit 5`,
    ])) as unknown as [LineRow[], RuleRow[]];
    const [line] = lines;
    if (line === undefined)
      throw fail('not_found', 'There is no such statement line in this tenant: list the bank lines for their ids.');
    if (line.open === 0n) return [];
    const open = money(line.open, line.currency);
    const like = likenessTo(line.text);
    const entries = ((await scope.read(entriesNear(tenant, lineId, line.text))) as unknown as EntryRow[])
      .map((entry) => ({ ...entry, like: like({ ...entry, settles: entry.settles.map(settled) }) }))
      .toSorted((a, b) => worth(b) - worth(a));
    const byEntry = entries.filter((entry) => entry.open === line.open).map((entry) => fromEntry(entry, open));
    const byRule = rules.map(({ rule_id, contains, code }): Suggestion => ({
      ...nothing,
      kind: 'rule',
      score: 60,
      reason: `The text contains ${JSON.stringify(contains)}.`,
      ruleId: rule_id,
      accountCode: code,
      amount: open,
    }));
    const together = byEntry.length > 0 ? undefined : combine(entries, line.open);
    const byEntries = together === undefined ? [] : [fromEntries(together, line.currency, open)];
    return [...byEntry, ...byEntries, ...byRule].toSorted((a, b) => b.score - a.score).slice(0, 10);
  },
);

/** Entries on a line's account that move it the same way: first payments that settle what the line names, then of its amount, then the nearest. */
const entriesNear = (tenant: string, lineId: string, text: string): Statement => sql`
  with line as (
    select l.*, a.currency, a.currency = k.base_currency as in_base, l.amount - coalesce((select sum(m.amount) from accounting.bank_match m
        where m.tenant_id = l.tenant_id and m.line_id = l.line_id and m.undone_at is null), 0)::bigint as open
    from accounting.bank_line l join accounting.account a on a.tenant_id = l.tenant_id and a.account_id = l.account_id
    join accounting.book k on k.tenant_id = l.tenant_id
    where l.tenant_id = ${tenant}::uuid and l.line_id = ${lineId}::uuid),
  said as (
    select kind, number from json_to_recordset(${JSON.stringify(
      namedIn(text)
        .slice(0, mostNamed)
        .map(({ kind, number }) => ({ kind, number: number.toString() })),
    )}::json) as s (kind text, number bigint)),
  named as (
    select y.entry_id from said s join accounting.payment y on s.kind = 'payment' and y.tenant_id = ${tenant}::uuid and y.number = s.number
    union
    select y.entry_id from said s join accounting.document d on d.tenant_id = ${tenant}::uuid and d.kind = s.kind and d.number = s.number
    join accounting.allocation x on x.tenant_id = d.tenant_id and d.document_id in (x.charge_id, x.credit_id) and x.undone_on is null
    join accounting.payment y on y.tenant_id = x.tenant_id and y.payment_id in (x.charge_id, x.credit_id)),
  found as (
    select e.entry_id, e.number, e.posting_date, e.narration, abs(e.posting_date - line.day) as days, moved.amount - coalesce((
        select sum(m.amount) from accounting.bank_match m join accounting.bank_line b on b.tenant_id = m.tenant_id and b.line_id = m.line_id
        where m.tenant_id = e.tenant_id and m.entry_id = e.entry_id and m.undone_at is null and b.account_id = line.account_id), 0)::bigint as open
    from line cross join lateral (
      select entry_id, sum(amount)::bigint as amount from (
        select entry_id, case when line.in_base then base_amount else amount end as amount from accounting.posting where tenant_id = line.tenant_id and debit_account_id = line.account_id
          and posting_date between line.day - ${near}::int and line.day + ${near}::int
        union all
        select entry_id, -case when line.in_base then base_amount else amount end from accounting.posting where tenant_id = line.tenant_id and credit_account_id = line.account_id
          and posting_date between line.day - ${near}::int and line.day + ${near}::int) sides
      group by entry_id) moved
    join accounting.entry e on e.tenant_id = line.tenant_id and e.entry_id = moved.entry_id and (line.in_base or e.currency = line.currency)
    where moved.amount = line.open or sign(moved.amount) = sign(line.open)
    order by e.entry_id in (select n.entry_id from named n) desc, moved.amount = line.open desc, abs(e.posting_date - line.day), e.number limit 200)
  select f.entry_id, f.number, f.posting_date::text as date, f.narration, f.days, f.open, y.reference, p.name as party, (
      select coalesce(json_agg(json_build_object('kind', d.kind, 'number', d.number::text, 'supplierNumber', d.supplier_number)), '[]')
      from (select charge_id, credit_id from accounting.allocation where tenant_id = y.tenant_id and y.payment_id in (charge_id, credit_id)
          and undone_on is null limit ${mostNamed}) x
      join accounting.document d on d.tenant_id = y.tenant_id and d.document_id in (x.charge_id, x.credit_id)) as settles
  from found f left join accounting.payment y on y.tenant_id = ${tenant}::uuid and y.entry_id = f.entry_id
  left join accounting.party p on p.tenant_id = y.tenant_id and p.party_id = y.party_id
  order by f.days, f.number`;

/** Of documents that a line names, or a payment settles, as many are compared. */
const mostNamed = 100;

interface LineRow {
  readonly open: bigint;
  readonly currency: string;
  readonly text: string;
}
interface EntryRow {
  readonly entry_id: string;
  readonly number: bigint;
  readonly date: string;
  readonly narration: string;
  readonly days: number;
  readonly open: bigint;
  readonly reference: string | null;
  readonly party: string | null;
  readonly settles: readonly SettledRow[];
}
interface SettledRow {
  readonly kind: DocumentKind;
  readonly number: string;
  readonly supplierNumber: string | null;
}
type Judged = EntryRow & { readonly like: Likeness };
interface RuleRow {
  readonly rule_id: string;
  readonly contains: string;
  readonly code: string;
}

const nothing = {
  entryId: null,
  number: null,
  date: null,
  narration: null,
  ruleId: null,
  accountCode: null,
  parts: [],
};

/** Chance makes up a sum more easily than an amount: less than one entry alone is worth, more than a rule where it is two. */
function fromEntries(entries: readonly EntryRow[], currency: string, amount: Money): Suggestion {
  const days = Math.max(...entries.map((entry) => entry.days));
  return {
    ...nothing,
    kind: 'entries',
    score: (entries.length === 2 ? 55 : 45) + Math.round((15 * (near - days)) / near),
    reason: `${entries.length} entries make up the amount together, up to ${days} day${days === 1 ? '' : 's'} apart.`,
    amount,
    parts: entries.map((entry) => ({
      entryId: entry.entry_id,
      number: entry.number.toString(),
      date: entry.date,
      narration: entry.narration,
      amount: money(entry.open, currency),
    })),
  };
}

const settled = ({ number, ...rest }: SettledRow): About['settles'][number] => ({ ...rest, number: BigInt(number) });

/** Nearness is worth up to 8, a whole number of both 20, the party's name up to 12, or other words; another number than the line's takes 15. */
const worth = ({ days, like: { numbers, other, name, words } }: Judged): number =>
  Math.round((8 * (near - days)) / near) +
  (numbers.length > 0 ? 20 : other ? -15 : 0) +
  Math.min(12, Math.round(12 * name) + 4 * words.length);

/** The amount is worth 60. */
function fromEntry(entry: Judged, amount: Money): Suggestion {
  const { entry_id, number, date, narration, days, party, like } = entry;
  const when = days === 0 ? 'the same day' : `${days} day${days === 1 ? '' : 's'} apart`;
  const common = [...like.numbers, ...like.words].slice(0, 3);
  const alike = common.length === 0 ? '' : `, both say ${common.join(', ')}`;
  const named = party === null || like.name === 0 ? '' : `, both name ${party}`;
  const other = like.other ? ', but for another number than the line names' : '';
  return {
    ...nothing,
    kind: 'entry',
    score: 60 + worth(entry),
    reason: `The same amount, ${when}${alike}${named}${other}.`,
    entryId: entry_id,
    number: number.toString(),
    date,
    narration,
    amount,
  };
}
