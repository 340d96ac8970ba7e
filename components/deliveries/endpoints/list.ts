import { operation } from '@steward/access';
import { pageOf } from '@steward/contract';
import { beforeAllIds, page } from '@steward/sql';
import { z } from 'zod';
import { paging, reads } from '../operations.ts';
import { selectWebhooks, webhook } from './webhook.ts';

/** A page of webhooks in order of their making. */
export const listWebhooks = operation(
  {
    ...reads,
    name: 'service_list_webhooks',
    input: z.strictObject(paging),
    answer: pageOf(webhook.answer),
    errors: ['insufficient_role'],
  },
  async ({ context, read }, { limit, cursor = beforeAllIds }) => {
    const rows = await read(
      selectWebhooks(
        'e.endpoint_id > $2::uuid order by e.endpoint_id limit $3::int',
        context.tenant,
        cursor,
        limit + 1,
      ),
    );
    return page(rows, limit, webhook.read, ({ id }) => id);
  },
);
