import type { World } from '@steward/conformance/world';
import { newId } from '@steward/kernel';
import { installIn } from '@steward/marketplace/testing';
import { openPool, sql } from '@steward/sql';
import type { Things } from './commands.ts';

/** What connections and deliveries of one tenant are by: what people and providers do, whom no command stands for. */
export const calledBack = (
  { db, dataDir }: World,
  tenant: string,
): Pick<Things, 'connected' | 'delivered' | 'installed' | 'located' | 'imported'> => ({
  installed: async () => installIn({ url: db.appUrl, dataDir }, `shop-${newId().slice(-12)}.myshopify.com`),
  located: async (channelId) => {
    await using admin = openPool({ url: db.adminUrl, size: 1 });
    await admin.query(sql`
      update marketplace.channel set shop_locations = '[{"id": "31", "name": "Berlin"}, {"id": "32", "name": "Wien"}]'
      where tenant_id = ${tenant}::uuid and channel_id = ${channelId}::uuid`);
    return channelId;
  },
  imported: async (channelId) => {
    await using admin = openPool({ url: db.adminUrl, size: 1 });
    await admin.query(sql`
      update marketplace.task set state = 'done', next_at = null
      where tenant_id = ${tenant}::uuid and channel_id = ${channelId}::uuid and kind = 'products'`);
    return channelId;
  },
  connected: async (connectionId, status) => {
    await using admin = openPool({ url: db.adminUrl, size: 1 });
    await admin.query(
      sql`update callbacks.connection set status = ${status} where tenant_id = ${tenant}::uuid and connection_id = ${connectionId}::uuid`,
    );
    return connectionId;
  },
  delivered: async (status) => {
    await using admin = openPool({ url: db.adminUrl, size: 1 });
    const id = newId();
    await admin.query(sql`
      insert into callbacks.delivery (tenant_id, delivery_id, receiver, provider, provider_delivery_id, event_id, topic, body_sha256, body, headers, seal, status, settled_at)
      values (${tenant}::uuid, ${id}::uuid, 'accounting.card_payments', 'stripe', ${id}, ${id}, 'charge.refunded', sha256('{}'), '{}', '{}', sha256('{}'), ${status}, now())`);
    return id;
  },
});
