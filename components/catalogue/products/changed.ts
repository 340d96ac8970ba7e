import { statement, type TenantTransaction } from '@steward/sql';
import { renewMembership } from '../collections/membership.ts';
import { contentsOf } from '../contents.ts';
import { announcement, event } from '../events.ts';
import { renewTerms } from './terms.ts';

/** Counts a change of each product, and says it to the log and on the bus. @param fields by product; those without any did not change */
export async function changed(tx: TenantTransaction, fields: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const ids = [...fields].flatMap(([id, names]) => (names.length === 0 ? [] : [id]));
  const rows = await tx.query<{ product_id: string; version: number }>(
    statement(
      `update catalogue.product set version = version + 1, updated_at = clock_timestamp()
       where tenant_id = $1::uuid and product_id = any ($2::uuid[]) returning product_id, version`,
      [tx.context.tenant, ids],
    ),
  );
  await renewTerms(tx, fields);
  await renewMembership(tx, fields);
  const versions = new Map(rows.map((row) => [row.product_id, row.version]));
  const digests = await contentsOf(tx, ids);
  for (const id of ids) {
    const version = versions.get(id) ?? 0;
    tx.record(
      event('commerce.product.updated', {
        product_id: id,
        fields: [...(fields.get(id) ?? [])],
        version,
        content_sha256: digests.get(id) ?? '',
      }),
    );
    tx.publish(announcement('commerce.product.changed', { productId: id, version }, { subject: id }));
  }
}
