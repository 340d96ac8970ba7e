import { operation } from '@steward/access';
import { pageCursor, pageOf } from '@steward/contract';
import { aboveAllNumbers, page, statement } from '@steward/sql';
import { z } from 'zod';
import { byWebhook, noWebhook, selectWebhooks } from '../endpoints/webhook.ts';
import { paging, reads } from '../operations.ts';
import { states } from '../words.ts';
import { delivery, sequence } from './delivery.ts';

/**
 * A page of what was sent to a webhook, or waits, the newest events first. What was settled thirty days ago is forgotten.
 * @throws Problem `not_found` (404)
 */
export const listDeliveries = operation(
  {
    ...reads,
    name: 'service_list_webhook_deliveries',
    input: z.strictObject({
      ...byWebhook,
      state: z.enum(states).optional().meta({ description: 'Only those.' }),
      limit: paging.limit,
      cursor: pageCursor(sequence),
    }),
    answer: pageOf(delivery.answer),
    errors: ['insufficient_role', 'not_found'],
  },
  async ({ context: { tenant }, readAll }, { webhookId, state = null, limit, cursor = aboveAllNumbers }) => {
    const [[found] = [], rows = []] = await readAll([
      selectWebhooks('e.endpoint_id = $2::uuid', tenant, webhookId),
      statement(
        `select ${delivery.columns} from deliveries.delivery d where d.tenant_id = $1::uuid and d.endpoint_id = $2::uuid
           and d.position < $3::bigint and ($4::text is null or d.state = $4) order by d.position desc limit $5::int`,
        [tenant, webhookId, cursor, state, limit + 1],
      ),
    ]);
    if (found === undefined) throw noWebhook();
    return page(rows, limit, delivery.read, (last) => last.sequence);
  },
);
