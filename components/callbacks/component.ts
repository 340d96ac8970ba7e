import type { Decider } from '@steward/access';
import type { Audit } from '@steward/audit';
import type { Route } from '@steward/contract';
import type { Identity, Integrations } from '@steward/identity';
import { type Addresses, type Log, type Metrics, newId } from '@steward/kernel';
import type { Tenancy, TenantContext } from '@steward/sql';
import type { Catalogue, Tool } from '@steward/tools';
import { madeConnections } from './connections/made.ts';
import { createGuardedText } from './adapters/guarded-text.ts';
import { connectionRoutes } from './connections/routes.ts';
import { connectionTools } from './connections/tools.ts';
import { deliveryRoutes } from './deliveries/routes.ts';
import { deliveryTools } from './deliveries/tools.ts';
import { createDeliverySeal } from './deliveries/seal.ts';
import type { ConnectionPorts } from './deps.ts';
import { createClaims } from './intake/claims.ts';
import { createIntake } from './intake/receive.ts';
import { intakeRoutes } from './intake/routes.ts';
import { callbackMetrics } from './metrics.ts';
import { createForgetting } from './processing/forget.ts';
import { createRelease } from './processing/release.ts';
import { createWorker } from './processing/worker.ts';
import type { Place, Receiver } from './receivers/receiver.ts';
import type { CallbackSettings } from './settings.ts';

export const name = 'callbacks';
export { callbackSettings as settings } from './settings.ts';
export { callbackNouns as nouns } from './nouns.ts';
export const migrations = new URL('./migrations/', import.meta.url);
export { recorded } from './recorded.ts';
export { callbacksFail as errors } from './errors.ts';
export { grammar, published } from './events.ts';
export const tools: readonly Tool<ConnectionPorts>[] = [...connectionTools, ...deliveryTools];
export type { Adapter, Arrived, Credentials, Item } from './adapters/adapter.ts';
export { adyen } from './adapters/adyen.ts';
export { allAdapters } from './adapters/all.ts';
export { authorizenet } from './adapters/authorizenet.ts';
export { braintree } from './adapters/braintree.ts';
export { readBraintree } from './adapters/braintree-xml.ts';
export { easypost } from './adapters/easypost.ts';
export { paypal } from './adapters/paypal.ts';
export { createPlaid } from './adapters/plaid.ts';
export { createPlaidKeys, type PlaidKeys } from './adapters/plaid-keys.ts';
export { shipstation } from './adapters/shipstation.ts';
export { shopify } from './adapters/shopify.ts';
export { square } from './adapters/square.ts';
export { stripe } from './adapters/stripe.ts';
export { taxbandits } from './adapters/taxbandits.ts';
export { eraseBodies } from './bodies/erase.ts';
export { keptBytes } from './bodies/kept.ts';
export {
  type ConnectionCredentials,
  connectionCredentials,
  connectionFor,
  selectConnectionFor,
} from './connections/credentials.ts';
export { rejectDelivery, replayDeliveries, retryDelivery } from './deliveries/operate.ts';
export { callbackSummary } from './deliveries/summary.ts';
export {
  type Became,
  type Delivery,
  type DeploymentSecret,
  NeverApplies,
  type Projection,
  type Receiver,
} from './receivers/receiver.ts';

export interface CallbackPorts {
  readonly tenancy: Tenancy;
  /** With connections of its own, so that no request waits for one that a delivery holds. */
  readonly following: Tenancy;
  /** Of the installation. */
  readonly secret: Uint8Array;
  readonly identity: Identity;
  readonly addresses: Addresses;
  readonly toolCatalogue: Pick<Catalogue, 'bind'>;
  readonly audit: Pick<Audit, 'secrets'>;
  readonly decider: Pick<Decider, 'requireFor'>;
  readonly config: CallbackSettings;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'registry'>;
  /** Of the components that are made before this one. */
  readonly receivers: readonly Receiver[];
}

export interface Callbacks extends AsyncDisposable {
  readonly serves: readonly { readonly at: Place; readonly routes: readonly Route[] }[];
  readonly integrations: readonly Integrations[];
  start(): void;
}

const itself = { type: 'system', id: 'callbacks' } as const;

/** Its routes for members are served at the portal's address, those of each receiver at the address of the receiver's component. */
export function create(ports: CallbackPorts): Callbacks {
  const { tenancy, following, identity, addresses, toolCatalogue, audit, decider, config, log, metrics, receivers } =
    ports;
  const contextIn =
    (of: Tenancy) =>
    (tenant: string, correlationId: string = newId()): TenantContext =>
      of.systemContext({ tenant, chain: [itself], subject: itself, caller: itself, requestId: newId(), correlationId });
  const counted = callbackMetrics(metrics, tenancy.pool);
  const addressOf = ({ at, path }: Receiver): string => `${addresses[at].replace(/\/$/, '')}${path}`;
  const seal = createDeliverySeal(ports.secret);
  const worker = createWorker({
    pool: following.pool,
    contextOf: contextIn(following),
    receivers: () => receivers,
    seal,
    metrics: counted,
    log,
  });
  const release = createRelease({ pool: following.pool, released: worker.wake, log });
  const forgetting = createForgetting({ pool: following.pool, days: config.callbackBodiesKept, log });
  const receive = createIntake({
    pool: tenancy.pool,
    contextOf: contextIn(tenancy),
    secrets: audit.secrets,
    claim: createClaims(tenancy.pool),
    onWrite: tenancy.onWrite,
    adapterPorts: { fetchText: createGuardedText({ loopback: config.callbackKeysFromLoopback }) },
    metrics: counted,
    log,
    seal,
    wake: worker.wake,
  });
  const connections: ConnectionPorts = {
    receivers: () => receivers,
    addressOf,
    secrets: audit.secrets,
    decider,
    wake: () => {
      release.wake();
      worker.wake();
    },
  };
  toolCatalogue.bind(tools, connections);
  const guard = identity.tenant(addresses.portal);
  return {
    integrations: [madeConnections],
    serves: [
      { at: 'portal', routes: [...connectionRoutes(guard, connections), ...deliveryRoutes(guard, connections)] },
      ...receivers.map((receiver) => ({
        at: receiver.at,
        routes: intakeRoutes(receiver, receive, addressOf(receiver)),
      })),
    ],
    start: () => {
      worker.start();
      release.start();
      forgetting.start();
    },
    [Symbol.asyncDispose]: async () => {
      await release.stop();
      await worker.stop();
      await forgetting.stop();
    },
  };
}
