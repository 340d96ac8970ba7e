import { statement, type TenantTransaction } from '@steward/sql';
import { announcement, event } from '../events.ts';
import { priceListDigest } from './price-list.ts';

/** Counts a change of a price list, and says it to the log and on the bus. */
export async function listChanged(
  tx: TenantTransaction,
  priceListId: string,
  fields: readonly string[],
): Promise<void> {
  const [row] = await tx.query<{ version: number }>(
    statement(
      `update catalogue.price_list set version = version + 1, updated_at = clock_timestamp()
       where tenant_id = $1::uuid and price_list_id = $2::uuid returning version`,
      [tx.context.tenant, priceListId],
    ),
  );
  const version = row?.version ?? 0;
  tx.record(
    event('commerce.price_list.updated', {
      price_list_id: priceListId,
      fields: [...fields],
      version,
      content_sha256: await priceListDigest(tx, priceListId),
    }),
  );
  tx.publish(announcement('commerce.price_list.changed', { priceListId, version }, { subject: priceListId }));
}
