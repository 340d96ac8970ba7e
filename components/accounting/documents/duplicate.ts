import { sql, type TenantTransaction } from '@steward/sql';
import { booksFail } from '../errors.ts';
import { type DocumentKind, numberOf } from './kind.ts';

/**
 * A supplier's number comes once. The supplier is locked, so that of two that come at once the second sees the first.
 * @throws Problem `duplicate_document` (409) with the id of the first
 */
export async function refuseDuplicate(
  tx: TenantTransaction,
  document: {
    readonly id: string;
    readonly kind: DocumentKind;
    readonly partyId: string;
    readonly supplierNumber: string | null;
  },
): Promise<void> {
  const { id, kind, partyId, supplierNumber } = document;
  if (supplierNumber === null) return;
  const { tenant } = tx.context;
  await tx.query(sql`
    select from accounting.party where tenant_id = ${tenant}::uuid and party_id = ${partyId}::uuid for no key update`);
  const [first] = await tx.query<{ document_id: string; number: bigint | null }>(sql`
    select document_id, number from accounting.document
    where tenant_id = ${tenant}::uuid and party_id = ${partyId}::uuid and kind = ${kind}
      and lower(supplier_number) = lower(${supplierNumber}) and status <> 'void' and document_id <> ${id}::uuid`);
  if (first === undefined) return;
  const name = first.number === null ? 'a draft' : numberOf(kind, first.number);
  throw booksFail(
    'duplicate_document',
    `${name}, document ${first.document_id}, already has this supplier's number: change that document, or void it first.`,
    { errors: [{ pointer: '/supplierNumber', code: 'duplicate', detail: first.document_id }] },
  );
}
