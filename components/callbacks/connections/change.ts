import { asItWas, operation } from '@steward/access';
import { sql, statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import type { ConnectionPorts } from '../deps.ts';
import { callbacksFail } from '../errors.ts';
import { announcement, event } from '../events.ts';
import { connects, operates } from '../operations.ts';
import { byConnection, type Connection, connection, holdConnection } from './connection.ts';
import { type Addressed, addressed, shown } from './shown.ts';

type To = 'active' | 'paused' | 'removed';

async function moveTo(
  tx: TenantTransaction,
  { id, version }: Connection,
  status: To | 'awaiting_secrets',
): Promise<Connection> {
  const [row = {}] = await tx.query(
    statement(
      `update callbacks.connection c set status = $3, version = version + 1, updated_at = clock_timestamp(),
         release_until = case when $3 = 'active' then 'infinity'::timestamptz end
       where c.tenant_id = $1::uuid and c.connection_id = $2::uuid returning ${connection.columns}`,
      [tx.context.tenant, id, status],
    ),
  );
  const facts = { connection_id: id, version: version + 1 };
  tx.record(
    status === 'removed'
      ? event('callbacks.connection.removed', facts)
      : status === 'paused'
        ? event('callbacks.connection.paused', facts)
        : event('callbacks.connection.resumed', facts),
  );
  tx.publish(announcement('callbacks.connection.changed', { connectionId: id, status }, { subject: id }));
  return connection.read(row);
}

/**
 * Takes deliveries of an account without carrying them out. Paused already is success.
 * @throws Problem `not_found` (404), `connection_state` (409)
 */
export const pauseConnection = operation(
  {
    ...operates,
    name: 'service_pause_connection',
    input: z.strictObject(byConnection),
    answer: addressed,
    errors: { not_found: 'connectionId', connection_state: 'connectionId' },
  },
  async (scope, { connectionId }, ports: ConnectionPorts): Promise<Addressed> =>
    scope.write(async (tx) => {
      const held = await holdConnection(tx, connectionId);
      if (held.status === 'paused') return asItWas(shown(ports, held));
      if (held.status !== 'active')
        throw callbacksFail(
          'connection_state',
          'The connection takes nothing yet: a person has to give its secrets first.',
        );
      return shown(ports, await moveTo(tx, held, 'paused'));
    }),
);

/**
 * Carries deliveries out again, beginning with those that were held, some at a time. Not paused is success. A person decides it: one may have paused it.
 * @throws Problem `not_found` (404)
 */
export const resumeConnection = operation(
  {
    ...connects,
    name: 'service_resume_connection',
    input: z.strictObject(byConnection),
    answer: addressed,
    errors: { not_found: 'connectionId' },
  },
  async (scope, { connectionId }, ports: ConnectionPorts): Promise<Addressed> =>
    scope.write(async (tx) => {
      const held = await holdConnection(tx, connectionId);
      if (held.status !== 'paused') return asItWas(shown(ports, held));
      const resumed = await moveTo(tx, held, 'active');
      tx.afterCommit(ports.wake);
      return shown(ports, resumed);
    }),
);

/**
 * Ends a connection for good: its secrets are deleted, and what the provider still sends is refused. Deliveries that are not carried out stay.
 * @throws Problem `not_found` (404)
 */
export const removeConnection = operation(
  {
    ...connects,
    name: 'service_remove_connection',
    input: z.strictObject(byConnection),
    answer: addressed,
    errors: { not_found: 'connectionId' },
  },
  async (scope, { connectionId }, ports: ConnectionPorts): Promise<Addressed> =>
    scope.write(async (tx) => {
      const held = await holdConnection(tx, connectionId);
      await tx.query(sql`
        delete from callbacks.secret where tenant_id = ${tx.context.tenant}::uuid and connection_id = ${connectionId}::uuid`);
      const removed = await moveTo(tx, held, 'removed');
      return shown(ports, { ...removed, secrets: [] });
    }),
);
