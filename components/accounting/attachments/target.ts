import { sql, type Statement } from '@steward/sql';
import type { TargetKind } from './attachment.ts';

/** By kind: a row where a thing of this id is there, of what files are attached to. */
export const targets: Readonly<Record<TargetKind, (tenant: string, id: string) => Statement>> = {
  entry: (tenant, id) => sql`select from accounting.entry where tenant_id = ${tenant}::uuid and entry_id = ${id}::uuid`,
  document: (tenant, id) =>
    sql`select from accounting.document where tenant_id = ${tenant}::uuid and document_id = ${id}::uuid`,
  payment: (tenant, id) =>
    sql`select from accounting.payment where tenant_id = ${tenant}::uuid and payment_id = ${id}::uuid`,
  bank_line: (tenant, id) =>
    sql`select from accounting.bank_line where tenant_id = ${tenant}::uuid and line_id = ${id}::uuid`,
};
