import { operation } from '@steward/access';
import { pageCursor, pageLimit, pageOf } from '@steward/contract';
import { fail } from '@steward/kernel';
import { afterAllIds, page, sql, statement, type TenantScope } from '@steward/sql';
import { z } from 'zod';
import { unknownConnection } from '../connections/connection.ts';
import type { ConnectionPorts } from '../deps.ts';
import { reads } from '../operations.ts';
import type { Receiver } from '../receivers/receiver.ts';
import { delivery, statuses } from './delivery.ts';

export const filters = {
  receiver: z
    .string()
    .min(1)
    .max(80)
    .optional()
    .meta({ description: 'Only of this route, such as `accounting.card_payments`.' }),
  provider: z.string().min(1).max(40).optional().meta({ description: 'Only of this provider, such as `stripe`.' }),
  connectionId: z.uuid().optional().meta({ description: 'Only of this connection, from service_list_connections.' }),
  status: z
    .enum(statuses)
    .optional()
    .meta({ description: 'Only those of this status. `dead` ones wait for a person.' }),
  topic: z.string().min(1).max(200).optional().meta({ description: 'Only of this topic, as the provider names it.' }),
  providerEventId: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Only those of this event, by the id that the provider gave it.' }),
};

type Filters = { readonly [K in keyof typeof filters]?: string | undefined };

/** SQL of the filters, with values from `$3` on. */
export const filtered = (given: Filters, values: unknown[]): string =>
  (
    [
      ['receiver', given.receiver, ''],
      ['provider', given.provider, ''],
      ['connection_id', given.connectionId, '::uuid'],
      ['status', given.status, ''],
      ['topic', given.topic, ''],
      ['event_id', given.providerEventId, ''],
    ] as const
  )
    .flatMap(([column, value, type]) =>
      value === undefined ? [] : [` and d.${column} = $${values.push(value)}${type}`],
    )
    .join('');

/**
 * Refuses filters that no delivery can have.
 * @throws Problem `invalid_request` (400) with pointers for a route or provider that is none, `not_found` (404) for a connection that is not there
 */
export async function requireKnown(
  { context, read }: Pick<TenantScope, 'context' | 'read'>,
  { receiver, provider, connectionId }: Filters,
  receivers: readonly Receiver[],
): Promise<void> {
  const routes = receivers.map(({ name }) => name);
  if (receiver !== undefined && !routes.includes(receiver)) throw unknown('receiver', routes);
  const providers = [...new Set(receivers.flatMap(({ adapters }) => adapters.map(({ name }) => name)))];
  if (provider !== undefined && !providers.includes(provider)) throw unknown('provider', providers);
  if (connectionId === undefined) return;
  const [row] = await read(
    sql`select from callbacks.connection where tenant_id = ${context.tenant}::uuid and connection_id = ${connectionId}::uuid`,
  );
  if (row === undefined) throw unknownConnection();
}

function unknown(member: string, known: readonly string[]): Error {
  const detail = known.length === 0 ? 'There is none here.' : `Give one of ${known.join(', ')}.`;
  return fail('invalid_request', detail, { errors: [{ pointer: `/${member}`, code: 'invalid_value', detail }] });
}

/** Deliveries that one page looks through. */
const window = 10_000;

/**
 * A page of deliveries, newest first. It may end early, or be empty, where few of those that it looks through are as asked.
 * @throws what `requireKnown` throws
 */
export const listDeliveries = operation(
  {
    ...reads,
    name: 'service_list_callback_deliveries',
    input: z.strictObject({ ...filters, limit: pageLimit, cursor: pageCursor() }),
    answer: pageOf(delivery.answer),
    errors: { not_found: 'connectionId' },
  },
  async (scope, { limit, cursor = afterAllIds, ...given }, { receivers }: Pick<ConnectionPorts, 'receivers'>) => {
    await requireKnown(scope, given, receivers());
    const { status, providerEventId, ...others } = given;
    const values: unknown[] = [scope.context.tenant, cursor];
    // By what an index has them in order; of the rest one is looked for among so many of these.
    const within = `from callbacks.delivery d where d.tenant_id = $1::uuid and d.delivery_id < $2::uuid${filtered({ status, providerEventId }, values)}
      order by d.delivery_id desc`;
    const end = statement(`select d.delivery_id as id ${within} offset ${window - 1} limit 1`, values.slice());
    const where = filtered(others, values);
    const [rows = [], [last] = []] = await scope.readAll([
      statement(
        `select ${delivery.columns} from (select d.* ${within} limit ${window}) d where true${where}
         order by d.delivery_id desc limit $${values.push(limit + 1)}::int`,
        values,
      ),
      ...(where === '' ? [] : [end]),
    ]);
    const { items, nextCursor } = page(rows, limit, delivery.read, ({ id }) => id);
    return { items, nextCursor: nextCursor ?? (last === undefined ? null : String(last['id'])) };
  },
);
