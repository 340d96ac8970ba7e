import { count, field, flag, id, moment, nullable, type Of, oneOf, shape, text, texts } from '@steward/contract';
import { knownToLeft, madeBy } from '@steward/identity';
import { fail } from '@steward/kernel';
import { statement, type Row, type Statement, type TenantScope, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';

export const statuses = ['awaiting_secrets', 'active', 'paused', 'removed'] as const;

const latest = (what: string, where = ''): string =>
  `(select ${what} from callbacks.delivery d where d.tenant_id = c.tenant_id and d.connection_id = c.connection_id ${where})`;

/** Of the connection `c`: those who gave a secret that is still good. */
export const knowers = `select s.tenant_id, s.created_by, s.created_by_type, s.created_through from callbacks.secret s
  where s.tenant_id = c.tenant_id and s.connection_id = c.connection_id`;

/** An account at a provider, of `callbacks.connection` named `c`; without any secret. */
export const connection = shape('c', {
  id: id('c.connection_id'),
  /** The route that it is for, such as `accounting.card_payments`. */
  receiver: text(),
  provider: text(),
  name: text(),
  /** As the provider names it; null until it is known. */
  account: nullable(text()),
  /** Whether the provider itself confirmed that the account is of whoever gave its key. */
  confirmed: flag('c.proven_at is not null'),
  live: flag(),
  settings: field(z.record(z.string(), z.string())),
  status: oneOf(statuses),
  /** Names of the secrets that it has. */
  secrets: texts(
    `array(select s.name from callbacks.secret s where s.tenant_id = c.tenant_id and s.connection_id = c.connection_id order by 1)`,
  ),
  /** The one before the last signing secret is accepted until then. */
  previousSecretUntil: nullable(
    moment(
      `(select max(s.previous_until) from callbacks.secret s where s.tenant_id = c.tenant_id and s.connection_id = c.connection_id
        and s.previous_until > clock_timestamp())`,
    ),
  ),
  ...madeBy('c'),
  /** Somebody who has no access any more gave a secret that it has: make a new one at the provider. */
  secretKnownToLeft: knownToLeft(knowers),
  version: count(),
  createdAt: moment(),
  updatedAt: moment(),
});
export type Connection = Of<typeof connection>;

/** How it does, beside the connection. */
export const health = shape('c', {
  lastReceivedAt: nullable(moment(latest('max(d.received_at)'))),
  /** When a request to its address was refused last, to some seconds, since its secrets were given. */
  lastRefusedAt: nullable(moment('c.refused_at')),
  /** Why: another secret, a clock that is off, the other mode. */
  lastRefusal: nullable(text('c.refusal')),
  waiting: count(latest('count(*)::int', `and d.status in ('waiting', 'held')`)),
  failed: count(latest('count(*)::int', `and d.status = 'dead'`)),
  lastError: nullable(
    text(
      latest('d.last_error', `and d.last_error is not null order by d.received_at desc, d.delivery_id desc limit 1`),
    ),
  ),
});

export const unknownConnection = (): Error =>
  fail('not_found', 'There is no such connection: service_list_connections lists them.');

export const byConnection = { connectionId: z.uuid().meta({ description: 'From service_list_connections.' }) };

/** @param rest conditions with the values from `$2` on */
export const selectConnections = (
  columns: string,
  rest: string,
  tenant: string,
  values: readonly unknown[],
): Statement =>
  statement(`select ${columns} from callbacks.connection c where c.tenant_id = $1::uuid ${rest}`, [tenant, ...values]);

/** Held until the end of the transaction; a removed one is not there. @throws Problem `not_found` (404) */
export async function holdConnection(tx: TenantTransaction, connectionId: string): Promise<Connection> {
  const [row] = await tx.query<Row>(
    selectConnections(
      connection.columns,
      `and c.connection_id = $2::uuid and c.status <> 'removed' for update of c`,
      tx.context.tenant,
      [connectionId],
    ),
  );
  if (row === undefined) throw unknownConnection();
  return connection.read(row);
}

/** Not held. @throws Problem `not_found` (404) */
export async function getHeld(
  { context, read }: Pick<TenantScope, 'context' | 'read'>,
  connectionId: string,
): Promise<Connection> {
  const [row] = await read<Row>(
    selectConnections(connection.columns, `and c.connection_id = $2::uuid and c.status <> 'removed'`, context.tenant, [
      connectionId,
    ]),
  );
  if (row === undefined) throw unknownConnection();
  return connection.read(row);
}
