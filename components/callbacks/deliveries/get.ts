import { operation } from '@steward/access';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { reads, readsBodies, people } from '../operations.ts';
import { byDelivery, delivery, unknownDelivery } from './delivery.ts';

/** @throws Problem `not_found` (404) */
export const getDelivery = operation(
  {
    ...reads,
    name: 'service_get_callback_delivery',
    input: z.strictObject(byDelivery),
    answer: delivery.answer,
    errors: ['not_found'],
  },
  async (scope, { deliveryId }) => {
    const [row] = await scope.read(
      statement(
        `select ${delivery.columns} from callbacks.delivery d where d.tenant_id = $1::uuid and d.delivery_id = $2::uuid`,
        [scope.context.tenant, deliveryId],
      ),
    );
    if (row === undefined) throw unknownDelivery();
    return delivery.read(row);
  },
);

/** What a provider sent, to the byte, with the headers that were kept; null once it is forgotten. @throws Problem `not_found` (404) */
export const readBody = operation(
  {
    ...readsBodies,
    ...people,
    input: z.strictObject(byDelivery),
    answer: z.object({
      headers: z.record(z.string(), z.string()).nullable(),
      /** Base64. */
      body: z.string().nullable(),
      /** Of the body, in hex: also once that is forgotten. */
      sha256: z.string(),
    }),
    errors: ['not_found'],
  },
  async (scope, { deliveryId }) => {
    const [row] = await scope.read<{ headers: Record<string, string> | null; body: Buffer | null; sha256: string }>(
      statement(
        `select case when not d.erased then d.headers end as headers, case when not d.erased then d.body end as body, encode(d.body_sha256, 'hex') as sha256 from callbacks.delivery d
         where d.tenant_id = $1::uuid and d.delivery_id = $2::uuid`,
        [scope.context.tenant, deliveryId],
      ),
    );
    if (row === undefined) throw unknownDelivery();
    return { ...row, body: row.body?.toString('base64') ?? null };
  },
);
