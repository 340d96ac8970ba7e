import { operation } from '@steward/access';
import { count, moment, nullable, shape, text } from '@steward/contract';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { byWebhook, noWebhook, selectWebhooks, webhook } from './webhook.ts';

const most = 10_000;

/** How sending goes: of `deliveries.queue` named `q`. */
const health = shape('q', {
  /** At most 10,000 are counted. */
  waiting:
    count(`(select count(*) from (select from deliveries.delivery d where d.tenant_id = q.tenant_id and d.endpoint_id = q.endpoint_id
    and d.state = 'pending' limit ${most}) w)`),
  /** Since the last success. */
  failures: count(),
  failingSince: nullable(moment()),
  lastSuccessAt: nullable(moment('q.succeeded_at')),
  lastFailureAt: nullable(moment('q.failed_at')),
  /** Of the last failure. */
  lastError: nullable(text('q.error')),
  /** Nothing is sent before. */
  heldUntil: nullable(moment('case when q.hold_until > clock_timestamp() then q.hold_until end')),
});

/** @throws Problem `not_found` (404) */
export const getWebhook = operation(
  {
    ...reads,
    name: 'service_get_webhook',
    input: z.strictObject(byWebhook),
    answer: webhook.answer.extend({ health: health.answer }),
    errors: ['insufficient_role', 'not_found'],
  },
  async ({ context, readAll }, { webhookId }) => {
    const [[row] = [], [queue] = []] = await readAll([
      selectWebhooks('e.endpoint_id = $2::uuid', context.tenant, webhookId),
      statement(
        `select ${health.columns} from deliveries.queue q where q.tenant_id = $1::uuid and q.endpoint_id = $2::uuid`,
        [context.tenant, webhookId],
      ),
    ]);
    if (row === undefined || queue === undefined) throw noWebhook();
    return { ...webhook.read(row), health: health.read(queue) };
  },
);
