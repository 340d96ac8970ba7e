import { operation } from '@steward/access';
import { pageCursor, pageLimit, pageOf } from '@steward/contract';
import { beforeAllIds, page } from '@steward/sql';
import { z } from 'zod';
import type { ConnectionPorts } from '../deps.ts';
import { reads } from '../operations.ts';
import { byConnection, connection, health, selectConnections, unknownConnection } from './connection.ts';
import { addressed, shown } from './shown.ts';

const observed = addressed.extend(health.answer.shape);

/** A page of connections in order of their making, removed ones left out, each with its health. */
export const listConnections = operation(
  {
    ...reads,
    name: 'service_list_connections',
    input: z.strictObject({ limit: pageLimit, cursor: pageCursor() }),
    answer: pageOf(observed),
  },
  async (scope, { limit, cursor = beforeAllIds }, ports: ConnectionPorts) => {
    const rows = await scope.read(
      selectConnections(
        `${connection.columns}, ${health.columns}`,
        `and c.status <> 'removed' and c.connection_id > $2::uuid order by c.connection_id limit $3::int`,
        scope.context.tenant,
        [cursor, limit + 1],
      ),
    );
    return page(
      rows,
      limit,
      (row) => ({ ...shown(ports, connection.read(row)), ...health.read(row) }),
      ({ id }) => id,
    );
  },
);

/** One connection, also a removed one. @throws Problem `not_found` (404) */
export const getConnection = operation(
  {
    ...reads,
    name: 'service_get_connection',
    input: z.strictObject(byConnection),
    answer: observed,
    errors: ['not_found'],
  },
  async (scope, { connectionId }, ports: ConnectionPorts) => {
    const [row] = await scope.read(
      selectConnections(
        `${connection.columns}, ${health.columns}`,
        'and c.connection_id = $2::uuid',
        scope.context.tenant,
        [connectionId],
      ),
    );
    if (row === undefined) throw unknownConnection();
    return { ...shown(ports, connection.read(row)), ...health.read(row) };
  },
);
