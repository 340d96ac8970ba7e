import { numberOf } from '../documents/kind.ts';
import { sql, type TenantTransaction } from '@steward/sql';

/** What a payment that came in pays of a document. */
export interface Paid {
  readonly documentId: string;
  readonly paymentId: string;
  /** Minor units, in the currency of both. */
  readonly amount: bigint;
  /** What the bank shows of it, or its number. */
  readonly reference: string;
  /** It was taken back. */
  readonly undone: boolean;
}

/** What an allocation pays by a payment that came in; undefined where it pays by anything else, such as a credit note. */
export async function paidBy(tx: TenantTransaction, allocationId: string): Promise<Paid | undefined> {
  const [row] = await tx.query<{
    charge_id: string;
    credit_id: string;
    amount: bigint;
    reference: string | null;
    number: bigint;
    undone: boolean;
  }>(sql`
    select l.charge_id, l.credit_id, l.amount, nullif(p.reference, '') as reference, p.number, l.undone_on is not null as undone from accounting.allocation l
    join accounting.payment p on p.tenant_id = l.tenant_id and p.payment_id = l.credit_id and p.direction = 'received'
    where l.tenant_id = ${tx.context.tenant}::uuid and l.allocation_id = ${allocationId}::uuid`);
  if (row === undefined) return undefined;
  return {
    documentId: row.charge_id,
    paymentId: row.credit_id,
    amount: BigInt(row.amount),
    reference: row.reference ?? numberOf('payment', BigInt(row.number)),
    undone: row.undone,
  };
}
