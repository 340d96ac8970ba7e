import { operation } from '@steward/access';
import { makerOf } from '@steward/identity';
import { fail } from '@steward/kernel';
import { sql, statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import type { Adapter } from '../adapters/adapter.ts';
import { seatOf } from '../intake/candidates.ts';
import { contentOf } from '../contents.ts';
import type { ConnectionPorts } from '../deps.ts';
import { callbacksFail } from '../errors.ts';
import { announcement, event } from '../events.ts';
import { connects, people } from '../operations.ts';
import { byConnection, type Connection, connection, getHeld, holdConnection } from './connection.ts';
import type { Receiver } from '../receivers/receiver.ts';
import {
  type Addressed,
  addressed,
  neededOf,
  neededSettingsOf,
  requireFit,
  secretsOf,
  settingsOf,
  shown,
} from './shown.ts';

const overlap = z.int().min(0).max(168);

/**
 * Takes secrets of a connection, which nobody is shown again. The first ones open it; later ones rotate: a signing secret takes over, and the
 * one before it is accepted for so many hours. Settings come with them: some exist only once the address is registered. Where the provider can say whose an API key is, the account is the one that it says.
 * @throws Problem `invalid_request` (400) with pointers, `not_found` (404), `connection_exists` (409) where another connection has the account,
 *   `provider_refused` (422) where the provider does not take the key, or says that it is another account's, `unavailable` (503)
 */
export const giveSecrets = operation(
  {
    ...connects,
    ...people,
    input: z.strictObject({
      ...byConnection,
      secrets: z.record(z.string().max(40), z.string().min(1).max(10_000)).optional().meta({
        description: 'By name, as `missingSecrets` lists them: `signing`, `apiKey`, …',
      }),
      settings: z.record(z.string().max(40), z.string().min(1).max(500).nullable()).optional().meta({
        description:
          'What is no secret, by name, as `missingSettings` lists it. Others stay as they are; null removes one.',
      }),
      overlapHours: overlap.optional().meta({
        default: 24,
        description: 'Hours for which the signing secret before this one is accepted too, 0–168.',
      }),
    }),
    answer: addressed,
    errors: ['not_found', 'connection_exists', 'provider_refused', 'unavailable'],
  },
  async (
    scope,
    { connectionId, secrets = {}, settings = {}, overlapHours = 24 },
    ports: ConnectionPorts,
  ): Promise<Addressed> => {
    ports.decider.requireFor(scope.context);
    const before = await getHeld(scope, connectionId);
    const receiver = ports.receivers().find(({ name }) => name === before.receiver);
    if (receiver === undefined)
      throw callbacksFail('provider_not_configured', 'This process does not serve what the connection is for.');
    const known = secretsOf(receiver, before.provider);
    const names = Object.keys(secrets);
    const unknown = names.find((name) => !Object.hasOwn(known, name));
    if (unknown !== undefined || names.length + Object.keys(settings).length === 0)
      throw invalid(
        unknown === undefined ? 'secrets' : `secrets/${unknown}`,
        `Give some of ${Object.keys(known).join(', ')}.`,
      );
    requireSettings(receiver, before, settings);
    requireWritten(
      secrets,
      known,
      receiver.adapters.find(({ name }) => name === before.provider),
    );
    requireFit(receiver, before, { secrets, settings });
    // Outside of the transaction: the provider may take its time.
    const account = await receiver.accountOf?.({ ...before, settings: saidOf(before, settings) }, secrets);
    return scope.write(async (tx) => {
      const held = await holdConnection(tx, connectionId);
      if (account !== undefined && held.account !== null && account !== held.account)
        throw callbacksFail(
          'provider_refused',
          `The key is of the account ${account}, and the connection is of ${held.account}: what is kept of the one is no affair of the other. Make another connection for it.`,
        );
      requireSettings(receiver, held, settings);
      const said = saidOf(held, settings);
      for (const [name, secret] of Object.entries(secrets))
        await keep(tx, ports, { connectionId, name, secret, hours: name === 'signing' ? overlapHours : 0 });
      if (account !== undefined) await requireFree(tx, { ...held, account });
      const has = new Set([...held.secrets, ...names]);
      const opens =
        held.status === 'awaiting_secrets' &&
        neededOf(receiver, held.provider).every((name) => has.has(name)) &&
        neededSettingsOf(receiver, held.provider).every((name) => Object.hasOwn(said, name));
      const [row = {}] = await tx.query(
        statement(
          `update callbacks.connection c set account = coalesce($3, c.account),
             proven_at = case when $3::text is null then c.proven_at else clock_timestamp() end,
             status = case when $4::boolean then 'active' else c.status end, settings = $5::jsonb, refused_at = null, refusal = null,
             version = version + 1, updated_at = clock_timestamp()
           where c.tenant_id = $1::uuid and c.connection_id = $2::uuid returning ${connection.columns}`,
          [tx.context.tenant, connectionId, account ?? null, opens, JSON.stringify(said)],
        ),
      );
      const given = connection.read(row);
      tx.record(
        event('callbacks.connection.rotated', {
          connection_id: connectionId,
          version: given.version,
          names: [...names, ...Object.keys(settings)],
          content_sha256: await contentOf(tx, given.id),
        }),
      );
      tx.publish(
        announcement(
          'callbacks.connection.changed',
          { connectionId, status: opens ? 'active' : held.status },
          { subject: connectionId },
        ),
      );
      return shown(ports, given);
    });
  },
);

const invalid = (member: string, detail: string): Error =>
  fail('invalid_request', detail, { errors: [{ pointer: `/${member}`, code: 'invalid_value', detail }] });

const saidOf = (
  held: Pick<Connection, 'settings'>,
  settings: Readonly<Record<string, string | null>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries<string | null>({ ...held.settings, ...settings }).flatMap(([name, one]) =>
      one === null ? [] : [[name, one]],
    ),
  );

/** @throws Problem `invalid_request` (400) with a pointer */
function requireSettings(
  receiver: Receiver,
  { provider, settings: held }: Pick<Connection, 'provider' | 'settings'>,
  settings: Readonly<Record<string, string | null>>,
): void {
  const known = Object.keys(settingsOf(receiver, provider));
  for (const [name, setting] of Object.entries(settings)) {
    if (!known.includes(name))
      throw invalid(
        `settings/${name}`,
        known.length === 0 ? `${provider} needs no settings.` : `The settings of ${provider} are ${known.join(', ')}.`,
      );
    if (setting === null && neededSettingsOf(receiver, provider).includes(name))
      throw invalid(`settings/${name}`, `${provider} cannot do without it: give another one instead.`);
    if (receiver.fixed?.(provider).includes(name) === true && (held[name] ?? setting) !== setting)
      throw invalid(`settings/${name}`, 'It says whose account this is, which stays: make another connection for it.');
  }
}

/** What providers write their secrets with, and what the header of a request can carry. */
const printable = /^[\x20-\x7e]*$/;

/**
 * A secret that was copied badly would be found out only by requests that are all refused.
 * @throws Problem `invalid_request` (400) with pointers, without what was given
 */
function requireWritten(
  secrets: Readonly<Record<string, string>>,
  known: Readonly<Record<string, string>>,
  { secretForm, isChosen }: Pick<Adapter, 'secretForm' | 'isChosen'> = {},
): void {
  const isWritten = (name: string, secret: string): boolean =>
    name === 'signing' && secretForm !== undefined
      ? secretForm.test(secret)
      : (name === 'signing' && isChosen === true) || printable.test(secret);
  const errors = Object.entries(secrets).flatMap(([name, secret]) => {
    const detail =
      secret !== secret.trim()
        ? 'White space stands before or after it: give it without.'
        : isWritten(name, secret)
          ? undefined
          : `It is not written as this is: ${known[name]}.${printable.test(secret) ? '' : ' It has characters that the provider does not write, such as the … of an example: copy it whole.'}`;
    return detail === undefined ? [] : [{ pointer: `/secrets/${name}`, code: 'invalid_format', detail }];
  });
  const [first] = errors;
  if (first !== undefined) throw fail('invalid_request', `${first.pointer}: ${first.detail}`, { errors });
}

interface Kept {
  readonly connectionId: string;
  readonly name: string;
  readonly secret: string;
  /** For how long the one before it is accepted. */
  readonly hours: number;
}

async function keep(
  tx: TenantTransaction,
  { secrets }: ConnectionPorts,
  { connectionId, name, secret, hours }: Kept,
): Promise<void> {
  const sealed = await secrets.seal(tx, seatOf(connectionId, name), Buffer.from(secret));
  const { by, byType, through } = makerOf(tx.context);
  await tx.query(sql`
    insert into callbacks.secret as s (tenant_id, connection_id, name, sealed, created_by, created_by_type, created_through)
    values (${tx.context.tenant}::uuid, ${connectionId}::uuid, ${name}, ${sealed}, ${by}, ${byType}, ${through})
    on conflict (tenant_id, connection_id, name) do update set sealed = excluded.sealed, set_at = clock_timestamp(), created_by = excluded.created_by,
      created_by_type = excluded.created_by_type, created_through = excluded.created_through,
      previous = case when ${hours}::int > 0 then s.sealed end,
      previous_until = case when ${hours}::int > 0 then clock_timestamp() + make_interval(hours => ${hours}::int) end`);
}

/** One account leads to one organization, also where several are given its key at once. */
async function requireFree(
  tx: TenantTransaction,
  {
    id,
    receiver,
    provider,
    account,
    live,
  }: {
    readonly id: string;
    readonly receiver: string;
    readonly provider: string;
    readonly account: string;
    readonly live: boolean;
  },
): Promise<void> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`callbacks account ${receiver} ${provider} ${account}`}, 0))`,
  );
  const found = await tx.query<{ connection_id: string; live: boolean }>(
    sql`select connection_id, live from callbacks.connections_of_account(${receiver}, ${provider}, ${account})`,
  );
  if (found.some((one) => one.connection_id !== id && one.live === live))
    throw callbacksFail(
      'connection_exists',
      'The account is connected already, by this organization or by another: remove that connection first.',
    );
}
