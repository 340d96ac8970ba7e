import type { ApproverClient, Caller } from '@steward/access';
import {
  type Addresses,
  type ClientAddress,
  type Clock,
  type ComponentName,
  type Log,
  type RequestHandler,
} from '@steward/kernel';
import type { Limiter } from '@steward/limits';
import { sql, type SqlPool } from '@steward/sql';
import { createLoop } from '@steward/work';
import type { LoadAssets } from './assets.ts';
import { createForward } from './forward/forward.ts';
import { createFront } from './front.ts';
import { createPages } from './pages.ts';
import { createJar } from './sessions/cookies.ts';
import { createRecordSession, type RecordPorts } from './sessions/record.ts';
import { createSealer } from './sessions/seal.ts';
import { createSessionStore } from './sessions/store.ts';
import { createStreams } from './sessions/streams.ts';
import { createTokens } from './sessions/tokens.ts';
import type { ConsoleSettings } from './settings.ts';
import { createGrants } from './sign-in/grants.ts';
import { createIssuers, type Issuer } from './sign-in/issuers.ts';
import { createSignIn } from './sign-in/sign-in.ts';

export const name = 'console';
export { grammar } from './events.ts';
export { consoleSettings as settings } from './settings.ts';
export type { Asset, Assets, LoadAssets } from './assets.ts';
export const migrations = new URL('./migrations/', import.meta.url);

/** What the console is given. */
export interface ConsoleNeeds {
  readonly config: ConsoleSettings & {
    readonly components: readonly ComponentName[];
    readonly production: boolean;
    readonly approverClients: readonly ApproverClient[];
    readonly issuers: readonly { readonly issuer: string; readonly audiences: readonly string[] }[];
  };
  readonly identity: RecordPorts['identity'];
  readonly addresses: Addresses;
  readonly version: string;
  /** At least 32 random bytes, the same in every process. */
  readonly secret: Uint8Array;
  readonly pool: Pick<SqlPool, 'query'>;
  readonly limiter: Pick<Limiter, 'take'>;
  readonly clientAddress: ClientAddress;
  readonly clock: Clock;
  readonly log: Log;
  /** Those of whoever the token is of. */
  readonly organizationsOf: (
    caller: Caller,
  ) => Promise<readonly { readonly tenant: string; readonly name: string; readonly role: string }[]>;
  /** The pages themselves. */
  readonly loadAssets: LoadAssets;
}

export interface Console {
  /** In front of the router, where the portal is served: the pages of people, and what they ask for. Passes everything else on. */
  front(route: RequestHandler): RequestHandler;
  start(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Where identity providers lead people back to: to be registered there for the client. */
export const signedInAt = (portal: string): string => `${new URL(portal).origin}/console/signed-in`;

/** Where they lead people back to who signed out: to be registered there likewise. */
export const signedOutAt = (portal: string): string => `${new URL(portal).origin}/console/signed-out`;

const tidyEvery = 10 * 60_000;
const chunk = 1_000;

/** The owners' console: the backend of its pages, which holds their sessions and calls the API for them (docs/adr/0045). */
export function create(needs: ConsoleNeeds): Console {
  const { config, addresses, secret, pool, limiter, clientAddress, clock, log } = needs;
  const origin = new URL(new URL(addresses.portal).origin);
  const sealer = createSealer(secret);
  const store = createSessionStore(pool, sealer);
  const issuers = createIssuers(issuersOf(needs), { clock, log });
  const grants = createGrants({
    issuers,
    addresses,
    redirect: signedInAt(addresses.portal),
    signedOut: signedOutAt(addresses.portal),
    clock,
  });
  const issuerOf = (issuer: string): Issuer | undefined => issuers.all.find((one) => one.issuer === issuer);
  const record = createRecordSession({ identity: needs.identity, portal: addresses.portal });
  const { mcp, portal, accounting, commerce, studio, storefront, issuer } = addresses;
  const { issuer: _own, ...served } = addresses;
  const streams = createStreams(store, log);
  const front = createFront({
    origin,
    portal: new URL(portal).pathname.replace(/\/$/, ''),
    manyHosts: new Set(Object.values(served).map((address) => new URL(address).host)).size > 1,
    pages: createPages(needs.loadAssets, { clock, log }),
    jar: createJar(origin),
    store,
    streams,
    signIn: createSignIn({ origin, issuers, grants, store, sealer, record, clock, log }),
    tokenFor: createTokens({ store, grants, issuerOf, clock }),
    organizationsOf: async (token) => {
      const caller = await needs.identity.authenticate(`Bearer ${token}`, [portal]);
      const found = await needs.organizationsOf(caller);
      return found
        .map(({ tenant, name: called, role }) => ({ id: tenant, name: called, role }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
    forward: createForward({
      addresses,
      served: (place) => config.components.some((one) => one === place),
      log,
    }),
    limiter,
    clientAddress,
    about: {
      production: config.production,
      development: config.issuers.length === 0,
      version: needs.version,
      addresses: { mcp, portal, accounting, commerce, studio, storefront, issuer },
    },
    log,
  });
  const tidy = createLoop({
    round: async () => {
      const [row] = await pool.query<{ gone: number }>(sql`select console.tidy_sessions(${chunk}::int) as gone`);
      return (row?.gone ?? 0) >= chunk ? 0 : tidyEvery;
    },
    failed: (err) => log.warn({ err }, 'sessions that ended were not removed; it is tried again'),
    retry: { first: 60_000, longest: tidyEvery },
  });
  return {
    front,
    start: () => {
      tidy.start();
      streams.start();
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([tidy.stop(), streams.stop()]);
    },
  };
}

/** Where people sign in: wherever a client may decide. */
function issuersOf({ config, addresses }: Pick<ConsoleNeeds, 'config' | 'addresses'>): Issuer[] {
  const all = config.issuers.length > 0 ? config.issuers : [{ issuer: addresses.issuer, audiences: [] }];
  return all.flatMap(({ issuer, audiences }) => {
    const client = config.approverClients.find((one) => one.issuer === undefined || one.issuer === issuer);
    if (client === undefined) return [];
    return [{ issuer, clientId: client.clientId, secret: config.consoleSecrets.get(issuer), audience: audiences[0] }];
  });
}
