import { operation } from '@steward/access';
import { pageCursor, pageLimit, pageOf } from '@steward/contract';
import { beforeAllIds, page } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { channel, selectChannels } from './channel.ts';

/** A page of channels in the order of their making, disconnected ones too. */
export const listChannels = operation(
  {
    ...reads,
    name: 'service_list_channels',
    input: z.strictObject({ limit: pageLimit, cursor: pageCursor() }),
    answer: pageOf(channel.answer),
  },
  async ({ context, read }, { limit, cursor = beforeAllIds }) => {
    const rows = await read(
      selectChannels('c.channel_id > $2::uuid order by c.channel_id limit $3::int', context.tenant, cursor, limit + 1),
    );
    return page(rows, limit, channel.read, ({ id }) => id);
  },
);
