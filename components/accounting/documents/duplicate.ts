import { sql, type TenantTransaction } from '@steward/sql';
import { booksFail } from '../errors.ts';
import { type DocumentKind, natures, numberOf } from './kind.ts';

/**
 * A supplier's number comes once. The supplier is locked, so that of two that come at once the second sees the first.
 * @throws Problem `duplicate_document` (409) that names the first
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
  const [first] = await tx.query<{
    document_id: string;
    number: bigint | null;
    given: string;
    day: string;
    party: string;
  }>(sql`
    select d.document_id, d.number, d.supplier_number as given, d.issue_date::text as day, t.name as party
    from accounting.document d join accounting.party t on t.tenant_id = d.tenant_id and t.party_id = d.party_id
    where d.tenant_id = ${tenant}::uuid and d.party_id = ${partyId}::uuid and d.kind = ${kind}
      and lower(d.supplier_number) = lower(${supplierNumber}) and d.status <> 'void' and d.document_id <> ${id}::uuid`);
  if (first === undefined) return;
  const title = natures[kind].title;
  const name = first.number === null ? `A draft ${title.toLowerCase()}` : `${title} ${numberOf(kind, first.number)}`;
  const detail =
    `${name} of ${first.party} of ${first.day} already has the supplier number ${first.given}: change that document ` +
    `(${first.document_id}), or void it first.`;
  throw booksFail('duplicate_document', detail, {
    errors: [{ pointer: '/supplierNumber', code: 'duplicate', detail }],
  });
}
