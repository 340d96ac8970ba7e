import { asItWas, operation } from '@steward/access';
import { statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { contentOf } from '../contents.ts';
import { announcement, event } from '../events.ts';
import { connects } from '../operations.ts';
import { byChannel, type Channel, channel, holdChannel } from './channel.ts';

/** Ends a channel: its token is erased, and what the shop still reports is nobody's. What was imported stays. */
export async function endChannel(
  tx: TenantTransaction,
  { id }: Pick<Channel, 'id'>,
  reason: 'member' | 'uninstalled' | 'erased',
): Promise<Channel> {
  const [row = {}] = await tx.query(
    statement(
      `update marketplace.channel c set status = 'disconnected', token = null, webhooks_at = null, version = c.version + 1,
         updated_at = clock_timestamp()
       where c.tenant_id = $1::uuid and c.channel_id = $2::uuid returning ${channel.columns}`,
      [tx.context.tenant, id],
    ),
  );
  const ended = channel.read(row);
  tx.record(
    event('commerce.channel.disconnected', {
      channel_id: id,
      version: ended.version,
      reason,
      content_sha256: await contentOf(tx, id),
    }),
  );
  tx.publish(announcement('commerce.channel.changed', { channelId: id, status: 'disconnected' }, { subject: id }));
  return ended;
}

/**
 * Disconnects a shop. Disconnected already is success.
 * @throws Problem `not_found` (404)
 */
export const disconnectChannel = operation(
  {
    ...connects,
    name: 'service_disconnect_channel',
    input: z.strictObject(byChannel),
    answer: channel.answer,
    errors: { not_found: 'channelId' },
  },
  async (scope, { channelId }): Promise<Channel> =>
    scope.write(async (tx) => {
      const held = await holdChannel(tx, channelId);
      return held.status === 'disconnected' ? asItWas(held) : endChannel(tx, held, 'member');
    }),
);
