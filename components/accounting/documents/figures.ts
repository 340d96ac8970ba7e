import { type Row, sql, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';

/** Minor units. */
export interface BookedFigures {
  readonly documents: ReadonlyMap<string, { readonly status: 'draft' | 'issued' | 'void'; readonly total: bigint }>;
  /** 0 for one that is void. */
  readonly payments: ReadonlyMap<string, bigint>;
  /** 0 for one that was undone. */
  readonly allocations: ReadonlyMap<string, bigint>;
}

/** What documents, payments and allocations of these ids come to, for whoever compares the books with what they were made of. */
export async function figuresIn(
  context: TenantContext,
  documentIds: readonly string[],
  paymentIds: readonly string[],
  allocationIds: readonly string[],
): Promise<BookedFigures> {
  const [documents = [], payments = [], allocations = []] = await context.require(readBooks).readAll([
    sql`
      select document_id as id, status, total from accounting.document
      where tenant_id = ${context.tenant}::uuid and document_id = any (${documentIds}::uuid[])`,
    sql`
      select payment_id as id, case when void_on is null then amount else 0 end as amount from accounting.payment
      where tenant_id = ${context.tenant}::uuid and payment_id = any (${paymentIds}::uuid[])`,
    sql`
      select allocation_id as id, case when undone_on is null then amount else 0 end as amount from accounting.allocation
      where tenant_id = ${context.tenant}::uuid and allocation_id = any (${allocationIds}::uuid[])`,
  ]);
  return {
    documents: new Map(
      documents.map((row) => [
        String(row['id']),
        { status: row['status'] as 'draft' | 'issued' | 'void', total: BigInt(row['total'] as bigint) },
      ]),
    ),
    payments: new Map(payments.map(amountOf)),
    allocations: new Map(allocations.map(amountOf)),
  };
}

const amountOf = (row: Row): [string, bigint] => [String(row['id']), BigInt(row['amount'] as bigint)];
