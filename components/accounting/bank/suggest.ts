import { operation } from '@steward/access';
import { type Fixed, moneyShape } from '@steward/contract';
import { createPace, fail, money, type Pace } from '@steward/kernel';
import { sql, type Statement } from '@steward/sql';
import { z } from 'zod';
import { type DocumentKind, numberOf } from '../documents/kind.ts';
import { reads } from '../operations.ts';
import { type About, type Likeness, likenessTo, namedIn, referencesIn } from './alike.ts';
import { combine } from './combine.ts';

const part = z.object({
  entryId: z.uuid(),
  number: z.string(),
  date: z.string(),
  narration: z.string(),
  amount: moneyShape,
});
export type SuggestedPart = Fixed<z.output<typeof part>>;

/** An entry that may explain a line, several that do so together, an open document that it may pay, or an account that a rule sends it to. */
const suggestion = z.object({
  lineId: z.uuid(),
  kind: z.enum(['entry', 'entries', 'document', 'rule']),
  /** 0–100; 100 is certain. */
  score: z.int(),
  /** Why, for people. */
  reason: z.string(),
  entryId: z.uuid().nullable(),
  documentId: z.uuid().nullable(),
  /** Of the entry or document. */
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

/** Lines that are asked about at once, at most, and what is told of one and of each of several. */
const [mostLines, ofOne, ofEach] = [25, 10, 3];
const lineId = z.uuid().meta({ description: 'From service_list_bank_lines.' });

/**
 * What may explain a line: entries on its account of exactly what is open of both, first those that name a document's whole number or
 * the party that the line names, then the nearest; where there is none, two, three or a day's that make it up together; documents that
 * are open by exactly that, or that the line names by their number, their reference (such as the number of an order) or the number of their supplier; then accounts by rule. What was reversed is told no more, nor its reversal, unless a line is matched with the other of the two. Of one line the best 10, of several the best 3 of each, in the order in which they were named. One entry may be told of several
 * lines: it explains the first that it is matched with. Nothing is changed.
 * @throws Problem `not_found` (404)
 */
export const suggest = operation(
  {
    ...reads,
    area: 'bank',
    name: 'service_suggest_bank_matches',
    input: z
      .strictObject({
        lineId: lineId.optional(),
        lineIds: z.array(z.uuid()).min(1).max(mostLines).optional().meta({ description: 'Instead of line_id.' }),
      })
      .refine((given) => (given.lineId === undefined) !== (given.lineIds === undefined), {
        path: ['lineIds'],
        message: 'Name one line by line_id, or 1 to 25 by line_ids',
      }),
    answer: z.array(suggestion),
    errors: ['not_found'],
  },
  async (scope, given) => {
    const { tenant } = scope.context;
    const ids = [...new Set(given.lineIds ?? [given.lineId ?? ''])];
    const [lines, rules] = (await scope.readAll([
      sql`
      select l.line_id, l.amount - coalesce((select sum(m.amount) from accounting.bank_match m
          where m.tenant_id = l.tenant_id and m.line_id = l.line_id and m.undone_at is null), 0)::bigint as open,
        a.currency, concat_ws(' | ', l.description, l.counterparty, l.reference) as text
      from accounting.bank_line l join accounting.account a on a.tenant_id = l.tenant_id and a.account_id = l.account_id
      where l.tenant_id = ${tenant}::uuid and l.line_id = any(${ids}::uuid[]) and l.withdrawn_at is null`,
      sql`
      select l.line_id, r.rule_id, r.contains, r.code from accounting.bank_line l cross join lateral (
        select r.rule_id, r.contains, a.code from accounting.bank_rule r
        join accounting.account a on a.tenant_id = r.tenant_id and a.account_id = r.target_account_id and a.archived_at is null
        where r.tenant_id = l.tenant_id and r.archived_at is null
          and position(lower(r.contains) in lower(concat_ws(' ', l.description, l.counterparty, l.reference))) > 0
          and (r.direction = 'any' or (r.direction = 'in') = (l.amount > 0))
        order by length(r.contains) desc, r.created_at limit 5) r
      where l.tenant_id = ${tenant}::uuid and l.line_id = any(${ids}::uuid[])`,
    ])) as unknown as [LineRow[], RuleRow[]];
    const named = ids.map((id) => {
      const line = lines.find(({ line_id }) => line_id === id);
      if (line === undefined)
        throw fail('not_found', `There is no statement line ${id} in this tenant: list the bank lines for their ids.`);
      return line;
    });
    const open = named.filter((line) => line.open !== 0n);
    const [entries, documents] = await Promise.all([
      scope.readAll(open.map(({ line_id, text }) => entriesNear(tenant, line_id, text))) as unknown as Promise<
        EntryRow[][]
      >,
      scope.readAll(open.map((line) => documentsOpen(tenant, line))) as unknown as Promise<DocumentRow[][]>,
    ]);
    const most = given.lineIds === undefined ? ofOne : ofEach;
    const pace = createPace();
    const found: Suggestion[] = [];
    for (const [at, line] of open.entries()) {
      const own = rules.filter(({ line_id }) => line_id === line.line_id);
      found.push(...(await explanationsOf(line, entries[at] ?? [], documents[at] ?? [], own, pace)).slice(0, most));
    }
    return found;
  },
);

/** The best first. */
async function explanationsOf(
  line: LineRow,
  candidates: readonly EntryRow[],
  documents: readonly DocumentRow[],
  rules: readonly RuleRow[],
  pace: Pace,
): Promise<Suggestion[]> {
  const open = money(line.open, line.currency);
  const like = likenessTo(line.text);
  const judged: Judged[] = [];
  for (const entry of candidates) {
    if (pace.due()) await pace.rest();
    judged.push({ ...entry, like: like({ ...entry, settles: entry.settles.map(settled) }) });
  }
  const entries = judged.toSorted((a, b) => worth(b) - worth(a));
  const none = { ...nothing, lineId: line.line_id, amount: open };
  const byEntry = entries
    .filter((entry) => entry.open === line.open)
    .map((entry) => ({ ...none, ...fromEntry(entry) }));
  const byRule = rules.map(({ rule_id, contains, code }): Suggestion => ({
    ...none,
    kind: 'rule',
    score: 60,
    reason: `The text contains ${JSON.stringify(contains)}.`,
    ruleId: rule_id,
    accountCode: code,
  }));
  const together = byEntry.length > 0 ? undefined : combine(entries, line.open);
  const byEntries = together === undefined ? [] : [{ ...none, ...fromEntries(together, line.currency) }];
  const byDocument = documents.flatMap((document) => {
    const likeness = like({ narration: '', reference: null, party: document.party, settles: [settled(document)] });
    // Its reference is a word of the line, but not as a number of its own.
    if (!document.exact && likeness.numbers.length === 0) return [];
    const amount = line.open < 0n ? -smaller(document.open, -line.open) : smaller(document.open, line.open);
    return [{ ...none, ...fromDocument(document, likeness), amount: money(amount, line.currency) }];
  });
  return [...byEntry, ...byEntries, ...byDocument, ...byRule].toSorted((a, b) => b.score - a.score);
}

/**
 * Entries on a line's account that move it the same way, but for one that was reversed and its reversal while the bank shows neither: first payments that settle what the line names, then of its amount, then the nearest.
 */
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
    left join accounting.entry r on r.tenant_id = e.tenant_id and r.reverses = e.entry_id
    where (moved.amount = line.open or sign(moved.amount) = sign(line.open))
      and (coalesce(r.entry_id, e.reverses) is null or exists (
        select from accounting.bank_match m join accounting.bank_line b on b.tenant_id = m.tenant_id and b.line_id = m.line_id
        where m.tenant_id = e.tenant_id and m.entry_id = coalesce(r.entry_id, e.reverses) and m.undone_at is null and b.account_id = line.account_id))
    order by e.entry_id in (select n.entry_id from named n) desc, moved.amount = line.open desc, abs(e.posting_date - line.day), e.number limit 200)
  select f.entry_id, f.number, f.posting_date::text as date, f.narration, f.days, f.open, y.reference, p.name as party, (
      select coalesce(json_agg(json_build_object('kind', d.kind, 'number', d.number::text, 'supplierNumber', d.supplier_number,
        'reference', d.reference)), '[]')
      from (select charge_id, credit_id from accounting.allocation where tenant_id = y.tenant_id and y.payment_id in (charge_id, credit_id)
          and undone_on is null limit ${mostNamed}) x
      join accounting.document d on d.tenant_id = y.tenant_id and d.document_id in (x.charge_id, x.credit_id)) as settles
  from found f left join accounting.payment y on y.tenant_id = ${tenant}::uuid and y.entry_id = f.entry_id
  left join accounting.party p on p.tenant_id = y.tenant_id and p.party_id = y.party_id
  order by f.days, f.number`;

/**
 * Documents that a line may pay, in its currency: open by exactly what is open of the line, or named by their number, or by a word that is their
 * reference or their supplier's number. First the named ones, then those of the amount, then those that are due the nearest.
 */
const documentsOpen = (tenant: string, { line_id, open, currency, text }: LineRow): Statement => sql`
  with said as (
    select kind, number from json_to_recordset(${JSON.stringify(
      namedIn(text)
        .slice(0, mostNamed)
        .map(({ kind, number }) => ({ kind, number: number.toString() })),
    )}::json) as s (kind text, number bigint)),
  words as (select value as word from json_array_elements_text(${JSON.stringify(referencesIn(text).slice(0, mostNamed))}::json)),
  quoted as (
    select d.document_id from words w join accounting.document d on d.tenant_id = ${tenant}::uuid and lower(d.reference) = w.word
    union
    select d.document_id from words w join accounting.document d on d.tenant_id = ${tenant}::uuid and lower(d.supplier_number) = w.word),
  fits as (
    (select i.item_id, false as named, false as quoted from accounting.item i
    where i.tenant_id = ${tenant}::uuid and i.side = ${open > 0n ? 'receivable' : 'payable'} and i.open_amount = ${(open < 0n ? -open : open).toString()}::bigint
      and i.open_amount > 0 and i.nature = 'charge' and i.currency = ${currency} and i.kind <> 'payment'
    order by abs(i.due_on - (select day from accounting.bank_line l where l.tenant_id = ${tenant}::uuid and l.line_id = ${line_id}::uuid)), i.item_id
    limit ${mostDocuments}::int)
    union all
    (select i.item_id, false, true from quoted q join accounting.item i on i.tenant_id = ${tenant}::uuid and i.item_id = q.document_id
    where i.side = ${open > 0n ? 'receivable' : 'payable'} and i.open_amount > 0 and i.nature = 'charge' and i.currency = ${currency}
    order by i.open_amount = ${(open < 0n ? -open : open).toString()}::bigint desc, i.due_on, i.item_id limit ${mostDocuments}::int)
    union all
    select i.item_id, true, false from said s join accounting.document d on d.tenant_id = ${tenant}::uuid and d.kind = s.kind and d.number = s.number
    join accounting.item i on i.tenant_id = d.tenant_id and i.item_id = d.document_id
    where i.side = ${open > 0n ? 'receivable' : 'payable'} and i.open_amount > 0 and i.nature = 'charge' and i.currency = ${currency})
  select d.document_id, d.kind, d.number::text as number, d.supplier_number as "supplierNumber", d.reference, i.open_amount as open,
    i.due_on::text as due, p.name as party, i.open_amount = ${(open < 0n ? -open : open).toString()}::bigint as exact
  from (select item_id, bool_or(named) as named, bool_or(quoted) as quoted from fits group by item_id) f
  join accounting.item i on i.tenant_id = ${tenant}::uuid and i.item_id = f.item_id
  join accounting.document d on d.tenant_id = i.tenant_id and d.document_id = i.item_id
  join accounting.party p on p.tenant_id = i.tenant_id and p.party_id = i.party_id
  order by f.named desc, f.quoted and i.open_amount = ${(open < 0n ? -open : open).toString()}::bigint desc, exact desc, i.due_on, d.number limit ${mostDocuments}::int`;

const mostDocuments = 20;

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Of documents that a line names, or a payment settles, as many are compared. */
const mostNamed = 100;

interface LineRow {
  readonly line_id: string;
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
interface DocumentRow extends SettledRow {
  readonly document_id: string;
  readonly open: bigint;
  readonly due: string;
  readonly party: string;
  readonly exact: boolean;
}
interface SettledRow {
  readonly kind: DocumentKind;
  readonly number: string;
  readonly supplierNumber: string | null;
  readonly reference: string | null;
}
type Judged = EntryRow & { readonly like: Likeness };
interface RuleRow {
  readonly line_id: string;
  readonly rule_id: string;
  readonly contains: string;
  readonly code: string;
}

const nothing = {
  entryId: null,
  documentId: null,
  number: null,
  date: null,
  narration: null,
  ruleId: null,
  accountCode: null,
  parts: [],
};

/** Chance makes up a sum more easily than an amount: less than one entry alone is worth, more than a rule where it is two. */
function fromEntries(entries: readonly EntryRow[], currency: string) {
  const days = Math.max(...entries.map((entry) => entry.days));
  return {
    kind: 'entries' as const,
    score: (entries.length === 2 ? 55 : 45) + Math.round((15 * (near - days)) / near),
    reason: `${entries.length} entries make up the amount together, up to ${days} day${days === 1 ? '' : 's'} apart.`,
    parts: entries.map((entry) => ({
      entryId: entry.entry_id,
      number: entry.number.toString(),
      date: entry.date,
      narration: entry.narration,
      amount: money(entry.open, currency),
    })),
  };
}

const settled = ({ kind, number, supplierNumber, reference }: SettledRow): About['settles'][number] => ({
  kind,
  number: BigInt(number),
  supplierNumber,
  reference,
});

/** Nearness is worth up to 8, a whole number of both 20, a few digits 14, the party's name up to 12, or other words; another number than the line's takes 15. */
const worth = ({ days, like: { numbers, weak, other, name, words } }: Judged): number =>
  Math.round((8 * (near - days)) / near) +
  (numbers.length > 0 ? (weak ? 14 : 20) : other ? -15 : 0) +
  Math.min(12, Math.round(12 * name) + 4 * words.length);

/** A part of a name may be that of somebody else, such as of a family. */
function alikeNames(party: string, { name, named }: Likeness): string | undefined {
  if (name === 1) return `both name ${party}`;
  return named.length === 0 ? undefined : `both say ${named.join(', ')}, which is a part of the name ${party}`;
}

/** An entry of the same amount is likelier, as somebody recorded it already; an amount alone is less than a rule. */
function fromDocument({ document_id, kind, number, due, party, exact }: DocumentRow, like: Likeness) {
  const called = numberOf(kind, BigInt(number));
  const names = like.numbers.length > 0 ? `the line names ${like.numbers.join(', ')}` : undefined;
  const both = alikeNames(party, like);
  const amount = exact ? 'the same amount' : 'another amount';
  const other = like.other ? 'but the line names another number' : undefined;
  return {
    kind: 'document' as const,
    score:
      (exact ? 50 : 30) +
      (names === undefined ? 0 : like.weak ? 15 : 25) +
      (other === undefined ? 0 : -15) +
      Math.round(15 * like.name),
    reason: `${called} of ${party}, due ${due}, is open: ${[amount, names, both, other].filter((one) => one !== undefined).join(', ')}.`,
    documentId: document_id,
    number: called,
    date: due,
    narration: party,
  };
}

/** The amount is worth 60. */
function fromEntry(entry: Judged) {
  const { entry_id, number, date, narration, days, party, like } = entry;
  const when = days === 0 ? 'the same day' : `${days} day${days === 1 ? '' : 's'} apart`;
  const common = [...like.numbers, ...like.words].slice(0, 3);
  const alike = common.length === 0 ? '' : `, both say ${common.join(', ')}`;
  const names = party === null ? undefined : alikeNames(party, like);
  const named = names === undefined ? '' : `, ${names}`;
  const other = like.other ? ', but for another number than the line names' : '';
  return {
    kind: 'entry' as const,
    score: 60 + worth(entry),
    reason: `The same amount, ${when}${alike}${named}${other}.`,
    entryId: entry_id,
    number: number.toString(),
    date,
    narration,
  };
}
