import { sql, type TenantTransaction } from '@steward/sql';
import { namedIn } from '../bank/alike.ts';
import { addMatches, openLine } from '../bank/match.ts';
import type { Consumer } from '@steward/bus';

/** Of a payment, so many open lines are looked at: one that names it is among them, or somebody matches by hand. */
const looked = 50;

/**
 * Matches lines whose provider names an invoice or order with the entry of a payment that settles just that, of the whole amount, on that account.
 * Nothing is posted: where nobody recorded the payment yet, the line stays open, and is matched when somebody does.
 */
export async function matchNamed(tx: TenantTransaction, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  const { tenant } = tx.context;
  const named = await tx.query<{ line_id: string; reference: string }>(sql`
    select l.line_id, l.reference from accounting.bank_line l
    where l.tenant_id = ${tenant}::uuid and l.line_id = any (${lines}::uuid[]) and l.reference is not null and l.withdrawn_at is null
      and l.day > coalesce((select max(r.to_day) from accounting.reconciliation r
        where r.tenant_id = l.tenant_id and r.account_id = l.account_id and r.undone_at is null), '0001-01-01')
      and not exists (select from accounting.bank_match m where m.tenant_id = l.tenant_id and m.line_id = l.line_id and m.undone_at is null)
    order by l.day, l.line_id`);
  for (const { line_id, reference } of named) {
    const entryId = await entryNamed(tx, line_id, reference);
    if (entryId !== undefined) await addMatches(tx, await openLine(tx, line_id), [{ entryId }]);
  }
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The entry of a payment on the line's account over its whole amount, explained by nothing yet, that settles what is named; the nearest in time. */
async function entryNamed(tx: TenantTransaction, lineId: string, reference: string): Promise<string | undefined> {
  const said = namedIn(reference)
    .slice(0, 5)
    .map(({ kind, number }) => ({ kind, number: number.toString() }));
  const [found] = await tx.query<{ entry_id: string }>(sql`
    with said as (select kind, number from json_to_recordset(${JSON.stringify(said)}::json) as s (kind text, number bigint)),
    line as (
      select l.tenant_id, l.account_id, l.day, l.amount, a.currency from accounting.bank_line l
      join accounting.account a on a.tenant_id = l.tenant_id and a.account_id = l.account_id
      where l.tenant_id = ${tx.context.tenant}::uuid and l.line_id = ${lineId}::uuid),
    settling as (
      select x.charge_id, x.credit_id from accounting.document d
      join accounting.allocation x on x.tenant_id = d.tenant_id and d.document_id in (x.charge_id, x.credit_id) and x.undone_on is null
      where d.tenant_id = ${tx.context.tenant}::uuid and (exists (select from said s where s.kind = d.kind and s.number = d.number)
        or d.document_id = ${uuid.test(reference) ? reference : null}::uuid)),
    candidate as (
      select y.* from settling s join accounting.payment y on y.tenant_id = ${tx.context.tenant}::uuid and y.payment_id in (s.charge_id, s.credit_id)
      union
      select y.* from line join accounting.payment y on y.tenant_id = line.tenant_id and y.account_id = line.account_id and y.reference = ${reference})
    select y.entry_id from line join candidate y on y.account_id = line.account_id and y.currency = line.currency
    where y.void_on is null and y.amount = abs(line.amount) and (y.direction = 'received') = (line.amount > 0)
      and not exists (select from accounting.bank_match m join accounting.bank_line b on b.tenant_id = m.tenant_id and b.line_id = m.line_id
        where m.tenant_id = y.tenant_id and m.entry_id = y.entry_id and m.undone_at is null and b.account_id = line.account_id)
    order by abs(y.date - line.day), y.number limit 1`);
  return found?.entry_id;
}

/** Has lines that wait for a payment meet it, whichever of the two comes first. */
export const matchConsumer: Consumer = {
  name: 'accounting.named_lines',
  types: ['accounting.payment.recorded', 'accounting.allocation.made'],
  onFailure: 'dead-letter',
  handle: async (tx, { type, data }) => {
    const { payment_id, credit_id, charge_id } = data as Readonly<Record<string, string | undefined>>;
    const payments = type === 'accounting.payment.recorded' ? [payment_id] : [credit_id, charge_id];
    const lines = await tx.query<{ line_id: string }>(sql`
      select m.line_id from accounting.payment y
      join accounting.feed f on f.tenant_id = y.tenant_id and f.account_id = y.account_id and f.kind = 'clearing'
      join accounting.feed_movement m on m.tenant_id = f.tenant_id and m.feed_id = f.feed_id and m.state = 'kept' and m.reference is not null
        and m.amount = case y.direction when 'received' then y.amount else -y.amount end
      where y.tenant_id = ${tx.context.tenant}::uuid and y.payment_id = any (${payments.flatMap((one) => one ?? [])}::uuid[])
        and y.void_on is null and not exists (select from accounting.bank_match b
          where b.tenant_id = m.tenant_id and b.line_id = m.line_id and b.undone_at is null)
      order by abs(m.day - y.date), m.movement_id limit ${looked}::int`);
    if (lines.length === 0) return;
    await matchNamed(
      tx,
      lines.map(({ line_id }) => line_id),
    );
  },
};
