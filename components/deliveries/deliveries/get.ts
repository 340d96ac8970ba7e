import { operation } from '@steward/access';
import { fail } from '@steward/kernel';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';
import type { DeliveriesPorts } from '../ports.ts';
import { asSeen } from '../seen.ts';
import { attempt, byDelivery, delivery } from './delivery.ts';

const mostAttempts = 50;

/**
 * One delivery with what was sent, and its last attempts, the newest first.
 * @throws Problem `not_found` (404), also for that of an event that the caller may not see
 */
export const getDelivery = operation(
  {
    ...reads,
    name: 'service_get_webhook_delivery',
    input: z.strictObject(byDelivery),
    answer: delivery.answer.extend({
      /** To the byte. */
      body: z.string(),
      lastAttempts: z.array(attempt.answer),
    }),
    errors: ['insufficient_role', 'not_found'],
  },
  async ({ context, readAll }, { webhookId, sequence }, ports: DeliveriesPorts) => {
    const values = [context.tenant, webhookId, sequence];
    const statements = [
      statement(
        `select ${delivery.columns}, d.body from deliveries.delivery d
         where d.tenant_id = $1::uuid and d.endpoint_id = $2::uuid and d.position = $3::bigint`,
        values,
      ),
      statement(
        `select ${attempt.columns} from deliveries.attempt a where a.tenant_id = $1::uuid and a.endpoint_id = $2::uuid
           and a.position = $3::bigint order by a.attempted_at desc limit ${mostAttempts}`,
        values,
      ),
    ];
    const told = await asSeen(context, ports, async (sees) => {
      const [[row] = [], attempts = []] = await readAll(statements);
      if (row === undefined) return undefined;
      const found = { ...delivery.read(row), body: String(row['body']), lastAttempts: attempts.map(attempt.read) };
      return sees(found) ? found : undefined;
    });
    if (told === undefined)
      throw fail('not_found', 'There is no such delivery: list the deliveries of the webhook for their sequences.');
    return told;
  },
);
