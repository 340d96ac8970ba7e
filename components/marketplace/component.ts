import type { Decider } from '@steward/access';
import type { Audit } from '@steward/audit';
import type { Consumer } from '@steward/bus';
import type { Receiver } from '@steward/callbacks';
import type { Route } from '@steward/contract';
import type { Identity, Integrations } from '@steward/identity';
import type { Addresses, Log } from '@steward/kernel';
import type { Tenancy } from '@steward/sql';
import type { Catalogue, Tool } from '@steward/tools';
import { madeChannels } from './channels/made.ts';
import { channelOf } from './channels/of-brand.ts';
import { channelRoutes } from './channels/routes.ts';
import { channelTools } from './channels/tools.ts';
import { stockConsumer } from './inventory/consumer.ts';
import { productsConsumer } from './listings/consumer.ts';
import { createImporter } from './imports/worker.ts';
import { installRoutes } from './installation/routes.ts';
import { createInstallStates } from './installation/state.ts';
import type { ChannelPorts, ImportPorts } from './ports.ts';
import { marketplaceReceiver } from './receiver.ts';
import type { MarketplaceSettings } from './settings.ts';

export const name = 'marketplace';
export { marketplaceSettings as settings } from './settings.ts';
export { marketplaceNouns as nouns } from './nouns.ts';
export const migrations = new URL('./migrations/', import.meta.url);
export { recorded } from './recorded.ts';
export { marketplaceFail as errors } from './errors.ts';
export { grammar, published } from './events.ts';
export const tools: readonly Tool<ChannelPorts>[] = channelTools;

export interface MarketplaceNeeds
  extends Pick<ChannelPorts, 'brandIn' | 'productsIn'>, Pick<ImportPorts, 'releaseDiscounts' | 'variantsIn'> {
  readonly config: MarketplaceSettings;
  readonly tenancy: Tenancy;
  /** With connections of its own, so that no request waits for one that an import holds. */
  readonly following: Tenancy;
  /** Of the installation. */
  readonly secret: Uint8Array;
  readonly identity: Identity;
  readonly addresses: Pick<Addresses, 'commerce' | 'portal'>;
  readonly toolCatalogue: Pick<Catalogue, 'bind'>;
  readonly audit: Pick<Audit, 'secrets'>;
  readonly decider: Pick<Decider, 'requireFor'>;
  readonly catalogue: Pick<ImportPorts, 'products'>;
  readonly orders: Pick<ImportPorts, 'place'>;
  readonly log: Log;
}

/** Its routes are served at commerce's address: `/api/channels…`, and with a connector `/marketplace/install` and `/marketplace/callback`. */
export function create(needs: MarketplaceNeeds): AsyncDisposable & {
  readonly serves: readonly [{ readonly at: 'commerce'; readonly routes: readonly Route[] }];
  readonly receivers: readonly Receiver[];
  readonly integrations: readonly Integrations[];
  readonly consumers: readonly Consumer[];
  readonly closeBrand: typeof channelOf;
  start(): void;
} {
  const { config, tenancy, secret, identity, addresses, toolCatalogue, decider, log } = needs;
  const { marketplace: settings } = config;
  const { connector } = settings;
  const commerce = addresses.commerce.replace(/\/$/, '');
  const importing = {
    settings,
    secrets: needs.audit.secrets,
    log,
    products: needs.catalogue.products,
    place: needs.orders.place,
    releaseDiscounts: needs.releaseDiscounts,
    variantsIn: needs.variantsIn,
  };
  // Without a connector no shop is asked.
  const importer =
    connector === undefined
      ? undefined
      : createImporter({
          ...importing,
          tenancy: needs.following,
          address: `${commerce}/webhooks/marketplace`,
        });
  const wake = (): void => importer?.wake();
  const { pool } = tenancy;
  const ports: ChannelPorts = {
    installUrl: connector === undefined ? undefined : `${commerce}/marketplace/install`,
    secret,
    secrets: needs.audit.secrets,
    decider,
    pool,
    brandIn: needs.brandIn,
    productsIn: needs.productsIn,
    wake,
  };
  toolCatalogue.bind(tools, ports);
  return {
    integrations: [madeChannels],
    serves: [
      {
        at: 'commerce',
        routes: [
          ...channelRoutes(identity.tenant(addresses.commerce), ports),
          ...(connector === undefined
            ? []
            : installRoutes({
                settings,
                log,
                connector,
                states: createInstallStates(secret),
                secret,
                pool,
                addresses,
              })),
        ],
      },
    ],
    receivers: [marketplaceReceiver({ ...importing, pool, wake })],
    consumers: [stockConsumer(wake), productsConsumer(wake)],
    closeBrand: channelOf,
    start: () => importer?.start(),
    [Symbol.asyncDispose]: async () => importer?.stop(),
  };
}
