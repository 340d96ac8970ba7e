import { statement, type TenantTransaction } from '@steward/sql';

/** Which of these ids are variants of the tenant that can be bought or counted: those that were taken off are none. */
export async function variantsIn(tx: TenantTransaction, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ variant_id: string }>(
    statement(
      `select variant_id from catalogue.variant where tenant_id = $1::uuid and variant_id = any ($2::uuid[]) and removed_at is null`,
      [tx.context.tenant, ids],
    ),
  );
  return new Set(rows.map((row) => row.variant_id));
}
