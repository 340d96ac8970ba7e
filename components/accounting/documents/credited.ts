import { type Fixed, moneyShape } from '@steward/contract';
import { formatAmount, money, parseAmount } from '@steward/kernel';
import { z } from 'zod';
import { type DocumentKind, documentStatus, numberOf } from './kind.ts';

/**
 * The document that a credit takes back, and how much all credits of it take back together: the same of that document itself, once there
 * are any. What is void, or in another currency, does not count.
 */
export const credited = z.object({
  id: z.uuid(),
  number: z.string(),
  total: moneyShape,
  issued: moneyShape.meta({ description: 'Sum of its issued credits.' }),
  drafts: moneyShape.meta({ description: 'Sum of the drafts of credits of it.' }),
});
export type Credited = Fixed<z.output<typeof credited>>;

/** Of the document `d`. */
export const creditedSql = `(select json_build_object('id', c.document_id, 'kind', c.kind, 'number', c.number::text, 'total', c.total::text,
    'currency', c.currency, 'issued', coalesce(sum(o.total) filter (where o.status = 'issued'), 0)::text,
    'drafts', coalesce(sum(o.total) filter (where o.status = 'draft'), 0)::text)
  from accounting.document c left join accounting.document o
    on o.tenant_id = c.tenant_id and o.credits = c.document_id and o.currency = c.currency
  where c.tenant_id = d.tenant_id and c.document_id = coalesce(d.credits, d.document_id) group by c.tenant_id, c.document_id
  having d.credits is not null or count(o.document_id) filter (where o.status <> 'void') > 0)`;

/** The newest credits of a document that are not void. */
export const creditsOf = z.array(
  z.object({
    id: z.uuid(),
    number: z.string().nullable(),
    status: documentStatus,
    issueDate: z.string(),
    total: moneyShape,
  }),
);
export type CreditOf = Fixed<z.output<typeof creditsOf>>[number];

/** Of the document `d`; as many as anybody reads. */
export const creditsOfSql = `(select coalesce(json_agg(json_build_object('id', o.document_id, 'kind', o.kind, 'number', o.number::text,
    'status', case when o.status = 'issued' and i.open_amount = 0 then 'paid' else o.status end, 'issueDate', o.issue_date, 'total', o.total::text, 'currency', o.currency)
    order by o.created_at desc, o.document_id desc), '[]'::json)
  from (select * from accounting.document o where o.tenant_id = d.tenant_id and o.credits = d.document_id and o.status <> 'void'
    order by o.created_at desc, o.document_id desc limit 50) o
  left join accounting.item i on i.tenant_id = o.tenant_id and i.item_id = o.document_id)`;

interface StoredCredit extends Omit<CreditOf, 'total' | 'number'> {
  readonly kind: DocumentKind;
  readonly number: string | null;
  readonly currency: string;
  /** In minor units. */
  readonly total: string;
}

export const presentCredits = (stored: unknown): CreditOf[] =>
  (stored as readonly StoredCredit[]).map(({ id, kind, number, status, issueDate, total, currency }) => ({
    id,
    number: number === null ? null : numberOf(kind, BigInt(number)),
    status,
    issueDate,
    total: money(BigInt(total), currency),
  }));

/** Amounts in minor units. */
interface Stored {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly number: string;
  readonly currency: string;
  readonly total: string;
  readonly issued: string;
  readonly drafts: string;
}

export function presentCredited(stored: unknown): Credited {
  const { id, kind, number, currency, total, issued, drafts } = stored as Stored;
  return {
    id,
    number: numberOf(kind, BigInt(number)),
    total: money(BigInt(total), currency),
    issued: money(BigInt(issued), currency),
    drafts: money(BigInt(drafts), currency),
  };
}

/** Says where credits take back more than their document is over. Goodwill may mean it, so none is refused. */
export function beyondInWords(of: Credited | null): string | undefined {
  if (of === null) return undefined;
  const { number, total } = of;
  const [most, issued, drafts] = [of.total, of.issued, of.drafts].map(
    ({ amount, currency }) => parseAmount(amount, currency) ?? 0n,
  ) as [bigint, bigint, bigint];
  if (issued + drafts <= most) return undefined;
  const drafted = drafts === 0n ? '' : `, ${of.drafts.amount} of that in drafts`;
  return (
    `With this, ${formatAmount(issued + drafts, total.currency)} of ${total.amount} ${total.currency} of ${number} are ` +
    `credited${drafted}: more than it.`
  );
}
