import { operation } from '@steward/access';
import { line } from '@steward/contract';
import { makerOf } from '@steward/identity';
import { fail, newId } from '@steward/kernel';
import { sql, statement } from '@steward/sql';
import { z } from 'zod';
import { contentOf } from '../contents.ts';
import type { ConnectionPorts } from '../deps.ts';
import { callbacksFail } from '../errors.ts';
import { event } from '../events.ts';
import { connects } from '../operations.ts';
import { connection } from './connection.ts';
import { type Addressed, addressed, requireFit, settingsOf, shown } from './shown.ts';

/** Connections of one tenant that are not removed. */
export const mostConnections = 100;

/**
 * Connects an account at a provider. It takes nothing until a person gives its secrets.
 * @throws Problem `invalid_request` (400) with pointers, `connection_limit` (409)
 */
export const connectProvider = operation(
  {
    ...connects,
    name: 'service_connect_provider',
    input: z.strictObject({
      receiver: z.string().min(1).max(80).meta({
        description: 'What the account is for, such as `accounting.card_payments`. service_list_providers lists them.',
      }),
      provider: z.string().min(1).max(40).meta({ description: 'Such as `stripe`. service_list_providers lists them.' }),
      name: line(200).meta({ description: 'What people call the account, such as `Stripe of the shop in Vienna`.' }),
      account: line(200).optional().meta({
        description:
          'Id of the account as the provider names it. Leave it out where the provider tells it once the API key is given.',
      }),
      live: z.boolean().meta({ description: 'true: real money and goods. false: a test account.' }),
      settings: z.record(z.string().max(40), z.string().min(1).max(500)).optional().meta({
        description:
          'Further facts that the provider’s scheme needs and that are no secrets, by the names that service_list_providers gives.',
      }),
    }),
    answer: addressed,
    errors: { connection_limit: null },
  },
  async (
    scope,
    { receiver: wanted, provider, name, account = null, live, settings = {} },
    ports: ConnectionPorts,
  ): Promise<Addressed> => {
    const receiver = ports.receivers().find((one) => one.name === wanted && one.connectable);
    if (receiver === undefined)
      throw invalid('receiver', 'No accounts are connected for this. service_list_providers lists what there is.');
    const adapter = receiver.adapters.find((one) => one.name === provider);
    if (adapter === undefined)
      throw invalid('provider', `${wanted} takes ${receiver.adapters.map((one) => one.name).join(', ')}.`);
    const known = Object.keys(settingsOf(receiver, provider));
    const unknown = Object.keys(settings).find((one) => !known.includes(one));
    if (unknown !== undefined)
      throw invalid(
        `settings/${unknown}`,
        known.length === 0 ? `${provider} needs no settings.` : `The settings of ${provider} are ${known.join(', ')}.`,
      );
    requireFit(receiver, { provider, live }, { settings });
    return scope.write(async (tx) => {
      const { tenant } = tx.context;
      const { by, byType, through } = makerOf(tx.context);
      await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`connections ${tenant}`}, 0))`);
      const [counted] = await tx.query<{ held: number }>(
        sql`select count(*)::int as held from callbacks.connection where tenant_id = ${tenant}::uuid and status <> 'removed'`,
      );
      if ((counted?.held ?? 0) >= mostConnections)
        throw callbacksFail(
          'connection_limit',
          `An organization has ${mostConnections} connections at most: remove those that nobody uses.`,
        );
      const [row = {}] = await tx.query(
        statement(
          `insert into callbacks.connection as c (tenant_id, connection_id, receiver, provider, name, account, live, settings,
             created_by, created_by_type, created_through)
           values ($1::uuid, $2::uuid, $3, $4, $5, $6, $7, $8::jsonb, $9, $10, $11) returning ${connection.columns}`,
          [tenant, newId(), wanted, provider, name, account, live, JSON.stringify(settings), by, byType, through],
        ),
      );
      const made = connection.read(row);
      tx.record(
        event('callbacks.connection.made', {
          connection_id: made.id,
          version: made.version,
          receiver: wanted,
          provider,
          live,
          content_sha256: await contentOf(tx, made.id),
        }),
      );
      return shown(ports, made);
    });
  },
);

const invalid = (member: string, detail: string): Error =>
  fail('invalid_request', detail, { errors: [{ pointer: `/${member}`, code: 'invalid_value', detail }] });
