import type { RecordedRows } from '@steward/verification';
import { channelContents } from './contents.ts';

/** The rows that must agree with the audit log. */
export const recorded: readonly RecordedRows[] = [
  {
    what: 'channel',
    types: [
      'commerce.channel.connected',
      'commerce.channel.stock_set',
      'commerce.channel.products_set',
      'commerce.channel.disconnected',
    ],
    held: `select r.tenant_id, r.channel_id::text as key, concat_ws(' ', 'version', r.version, c.digest) as says
      from marketplace.channel r join (${channelContents}) c on c.tenant_id = r.tenant_id and c.key = r.channel_id`,
    told: `select e.payload ->> 'channel_id' as key, concat_ws(' ', 'version', e.payload ->> 'version', e.payload ->> 'content_sha256') as says`,
  },
];
