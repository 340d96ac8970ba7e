import { ConfigError, isLoopback, settings, text } from '@steward/kernel';

/** The app by which shops are connected. */
export interface Connector {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface MarketplaceSettings {
  readonly marketplace: {
    /** Sign what the marketplace reports: current and previous. */
    readonly webhookSecrets: readonly string[];
    /** Without it no shop can be connected. */
    readonly connector: Connector | undefined;
    /** Where a shop is, such as `https://one.myshopify.com`. */
    addressOf(shop: string): string;
    /** Of the marketplace's API, such as `2026-10`. */
    readonly apiVersion: string;
  };
}

const variables = {
  MARKETPLACE_SHOPIFY_KEY: {
    default: '',
    says:
      'Client id of the Shopify app by which shops are connected. Empty: no shop can be connected, and `{commerce_api_url}/marketplace/install` ' +
      'is not there.',
  },
  MARKETPLACE_SHOPIFY_SECRET: {
    default: '',
    says:
      'Client secret of the Shopify app. It signs what Shopify sends to `{commerce_api_url}/webhooks/marketplace`, which answers 503 without it. ' +
      'Two with a comma between: the second one is the previous one, and accepted too.',
  },
  MARKETPLACE_SHOPIFY_URL: {
    default: 'https://{shop}',
    says: 'Address of a shop, with `{shop}` for its name, such as `one.myshopify.com`. Another one is for tests: http only at this machine.',
  },
  MARKETPLACE_SHOPIFY_VERSION: { default: '2026-10', says: 'Version of Shopify’s GraphQL Admin API.' },
} as const;

/** @throws ConfigError */
export const marketplaceSettings = settings(variables, (env, { production }): MarketplaceSettings => {
  const clientId = text(env, 'MARKETPLACE_SHOPIFY_KEY');
  const webhookSecrets = text(env, 'MARKETPLACE_SHOPIFY_SECRET')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const [clientSecret] = webhookSecrets;
  if (clientId !== '' && clientSecret === undefined)
    throw new ConfigError('MARKETPLACE_SHOPIFY_KEY needs MARKETPLACE_SHOPIFY_SECRET, the client secret of the app.');
  if (webhookSecrets.length > 2)
    throw new ConfigError('MARKETPLACE_SHOPIFY_SECRET has the current secret, and at most the previous one.');
  const address = text(env, 'MARKETPLACE_SHOPIFY_URL');
  const tried = URL.parse(address.replace('{shop}', 'one.myshopify.com'));
  const plain = tried?.protocol === 'http:' && !production && isLoopback(tried.hostname);
  if (tried === null || !(address === 'https://{shop}' || (plain && address.includes('/{shop}'))))
    throw new ConfigError(
      'MARKETPLACE_SHOPIFY_URL must be https://{shop}; in tests http at this machine with /{shop} as its path.',
    );
  const apiVersion = text(env, 'MARKETPLACE_SHOPIFY_VERSION');
  if (!/^\d{4}-(?:01|04|07|10)$/.test(apiVersion))
    throw new ConfigError('MARKETPLACE_SHOPIFY_VERSION must be a version such as 2026-10.');
  return {
    marketplace: {
      webhookSecrets,
      connector: clientId === '' || clientSecret === undefined ? undefined : { clientId, clientSecret },
      addressOf: (shop) => address.replace('{shop}', shop),
      apiVersion,
    },
  };
});
