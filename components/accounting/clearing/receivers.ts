import {
  type Adapter,
  errors as callbacksFail,
  type ConnectionCredentials,
  type Delivery,
  NeverApplies,
  type Projection,
  type Receiver,
} from '@steward/callbacks';
import { fail, ProviderRefused, ProviderUnavailable } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { keepBooks } from '../permissions.ts';
import { type ClearingProvider, type Unpaid } from './provider.ts';
import type { Said } from './said.ts';
import { take } from './take.ts';

/** Opens what the API of a connection is asked with. */
export type CredentialsOf = (context: TenantContext, connectionId: string) => Promise<ConnectionCredentials>;

/**
 * What a delivery is about, with the connection that it came by.
 * @throws NeverApplies where it came by none, or is of the other mode than the connection
 */
export async function connectionOf(
  context: TenantContext,
  { connectionId, live }: Pick<Delivery, 'connectionId' | 'live'>,
  credentialsOf: CredentialsOf,
): Promise<ConnectionCredentials> {
  if (connectionId === null) throw new NeverApplies('the event came by no connection');
  const connection = await credentialsOf(context, connectionId);
  if (live !== null && live !== connection.live)
    throw new NeverApplies('the event is of the other mode than the connection: live, or test');
  return connection;
}

interface Fetched {
  readonly said: Said;
  readonly live: boolean;
}

/** Asks the provider, and writes what it says. */
export const clearingProjection = (provider: ClearingProvider, credentialsOf: CredentialsOf): Projection<Fetched> => ({
  fetch: async (context, delivery, signal) => {
    const connection = await connectionOf(context, delivery, credentialsOf);
    const unpaid = unpaidOf(context, connection.id);
    return { said: await provider.say(connection, delivery, signal, unpaid), live: connection.live };
  },
  apply: async (tx, { connectionId }, { said, live }) =>
    connectionId === null ? [] : take(tx, { connectionId, provider: provider.name, title: provider.title, live }, said),
});

/** One that is never paid out keeps no others waiting for ever: it is older than a month then. */
const unpaidOf =
  (context: TenantContext, connectionId: string): Unpaid =>
  async (before) => {
    const { read } = context.require(keepBooks);
    const rows = await read<{ movement_id: string }>(sql`
      select m.movement_id from accounting.feed f
      join accounting.feed_movement m on m.tenant_id = f.tenant_id and m.feed_id = f.feed_id and m.kind in ('charge', 'refund')
        and m.payout_id is null and m.state in ('due', 'kept', 'double') and m.day < ${before}::date and m.day >= ${before}::date - 31
      where f.tenant_id = ${context.tenant}::uuid and f.connection_id = ${connectionId}::uuid
      order by m.day, m.movement_id limit 3`);
    return rows.map(({ movement_id }) => movement_id);
  };

interface Route {
  readonly name: string;
  readonly summary: string;
  /** The first is the route's own. */
  readonly providers: readonly { readonly adapter: Adapter; readonly provider: ClearingProvider }[];
  readonly secrets?: Receiver['secrets'];
  readonly admit?: Receiver['admit'];
}

/** A route of accounting whose events move clearing accounts. Topics of providers differ, so that each is known by its topic and its adapter. */
export function clearingReceiver(
  { name, summary, providers, secrets = () => [], admit }: Route,
  credentialsOf: CredentialsOf,
): Receiver {
  const of = (adapter: string): ClearingProvider | undefined =>
    providers.find((one) => one.adapter.name === adapter)?.provider;
  return {
    name: `accounting.${name}`,
    at: 'accounting',
    path: `/webhooks/${name}`,
    summary,
    adapters: providers.map(({ adapter }) => adapter),
    connectable: true,
    credentials: (provider) => of(provider)?.credentials ?? {},
    optional: (provider) => of(provider)?.optional ?? [],
    settings: (provider) => of(provider)?.settings ?? {},
    needs: (provider) => of(provider)?.needs ?? [],
    fixed: (provider) => of(provider)?.fixed ?? [],
    secrets,
    ...(admit === undefined ? {} : { admit }),
    accountOf: async (connection, given) => proven(async () => of(connection.provider)?.accountOf?.(connection, given)),
    projections: [
      {
        topics: [...new Set(providers.flatMap(({ provider }) => provider.topics))],
        projection: byProvider(of, credentialsOf) as Projection<never>,
      },
    ],
  };
}

/** Providers of one route may have a topic of the same name. */
const byProvider = (
  of: (adapter: string) => ClearingProvider | undefined,
  credentialsOf: CredentialsOf,
): Projection<Fetched | undefined> => ({
  fetch: async (context, delivery, signal) => {
    const provider = of(delivery.provider);
    return provider?.topics.includes(delivery.topic) === true
      ? clearingProjection(provider, credentialsOf).fetch?.(context, delivery, signal)
      : undefined;
  },
  apply: async (tx, delivery, fetched) => {
    const provider = of(delivery.provider);
    return provider === undefined || fetched === undefined
      ? []
      : clearingProjection(provider, credentialsOf).apply(tx, delivery, fetched);
  },
});

/** What a provider answers about its credentials, in the words of the doors. @throws Problem `provider_refused` (422), `unavailable` (503) */
export async function proven<T>(asking: () => Promise<T>): Promise<T> {
  try {
    return await asking();
  } catch (cause) {
    if (cause instanceof ProviderRefused)
      throw callbacksFail('provider_refused', `${cause.message}: give the key of this account.`, { cause });
    if (cause instanceof ProviderUnavailable)
      throw fail('unavailable', 'The provider does not answer at the moment: try again later.', { cause });
    throw cause;
  }
}
