import { BoundedMap, createFreshCache } from '@steward/kernel';
import { sql, type SqlPool, type TenantContext } from '@steward/sql';
import type { Secrets } from '@steward/audit';
import type { Adapter, Arrived, Credentials } from '../adapters/adapter.ts';
import { serveCallbacks } from '../permissions.ts';
import type { Receiver } from '../receivers/receiver.ts';

/** Secrets that one request is checked with at most: current and previous, of live and of test. */
const most = 4;

/** By whose secret a request is genuine. */
export interface Source {
  readonly tenant: string;
  readonly connectionId: string;
  readonly account: string | null;
  readonly live: boolean;
  readonly paused: boolean;
}

/** What a request may be signed with; without `source` the secret is the deployment's. */
export interface Candidate extends Credentials {
  readonly adapter: Adapter;
  readonly source?: Source;
}

interface Found extends Record<string, unknown> {
  readonly tenant_id: string;
  readonly connection_id: string;
  readonly provider: string;
  readonly account: string | null;
  readonly live: boolean;
  readonly settings: Record<string, string>;
  readonly status: string;
  readonly signing: string | null;
  readonly previous: string | null;
}

export interface CandidateDeps {
  readonly pool: Pick<SqlPool, 'read'>;
  readonly contextOf: (tenant: string) => TenantContext;
  readonly secrets: Pick<Secrets, 'open'>;
  /** Calls back once this process may have written something of a tenant. */
  readonly onWrite: (then: (tenant: string) => void) => void;
}

/** Where a secret of a connection is sealed: the name of the secret, which does not change as it becomes the previous one. */
export const seatOf = (connectionId: string, name: string): string => `callbacks.connection/${connectionId}/${name}`;

/** Finds what a request may be signed with, of what its sender says of itself: nothing is trusted for it. */
export function createCandidates(deps: CandidateDeps) {
  /** By the sealed text, which never means anything else. */
  const opened = new BoundedMap<string, string>(10_000);
  /** A second old at most: what another process pauses, rotates or removes counts here within that time (contracts §3), and what this one does at once. */
  const connections = createFreshCache<Found>({ milliseconds: 1_000, capacity: 10_000, missing: 1_000 });
  deps.onWrite((tenant) => connections.forget((found) => found.tenant_id === tenant));
  const connectionOf = async (connectionId: string, receiver: string): Promise<Found[]> => {
    const found = await connections.get(`${receiver} ${connectionId}`, async () => {
      const [value] = await deps.pool.read<Found>(
        sql`select * from callbacks.find_connection(${connectionId}::uuid, ${receiver})`,
      );
      return { value };
    });
    return found === undefined ? [] : [found];
  };
  const open = async ({ tenant_id: tenant, connection_id: id }: Found, sealed: string): Promise<string> => {
    const known = opened.get(sealed);
    if (known !== undefined) return known;
    const context = deps.contextOf(tenant);
    const scope = context.require(serveCallbacks);
    const plain = await deps.secrets.open(
      { context, query: async (statement) => scope.read(statement) },
      seatOf(id, 'signing'),
      sealed,
    );
    opened.set(sealed, plain.toString());
    return plain.toString();
  };
  const ofConnections = async (found: readonly Found[], adapters: readonly Adapter[]): Promise<Candidate[]> => {
    const candidates: Candidate[] = [];
    for (const one of found) {
      const adapter = adapters.find(({ name }) => name === one.provider);
      if (adapter === undefined) continue;
      const source: Source = {
        tenant: one.tenant_id,
        connectionId: one.connection_id,
        account: one.account,
        live: one.live,
        paused: one.status === 'paused',
      };
      // Certificates of the provider verify it.
      if (adapter.secret === undefined) candidates.push({ adapter, source, secret: '', settings: one.settings });
      for (const sealed of [one.signing, one.previous])
        if (sealed !== null)
          candidates.push({ adapter, source, secret: await open(one, sealed), settings: one.settings });
    }
    return candidates.slice(0, most);
  };

  /**
   * @param connectionId that the address names: no other secret is tried then
   */
  return async (receiver: Receiver, arrived: Arrived, connectionId: string | undefined): Promise<Candidate[]> => {
    if (connectionId !== undefined)
      return ofConnections(await connectionOf(connectionId, receiver.name), receiver.adapters);
    const adapter = receiver.adapters.find((one) => one.recognises(arrived)) ?? receiver.adapters[0];
    if (adapter === undefined) return [];
    const own = receiver.secrets(adapter.name).map((given) => ({ ...given, adapter }));
    if (own.length > 0) return own.slice(0, most);
    const account = receiver.connectable ? adapter.hint(arrived) : undefined;
    if (account === undefined) return [];
    const found = await deps.pool.read<Found>(
      sql`select * from callbacks.connections_of_account(${receiver.name}, ${adapter.name}, ${account})`,
    );
    return ofConnections(found, [adapter]);
  };
}
