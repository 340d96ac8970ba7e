import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { Json, World } from '@steward/conformance/world';
import { billingVariables } from '@steward/portal/testing';
import type { CallbackRoute } from './routes.ts';

const secretOf = (whose: string): string => `whsec_${whose}${'0'.repeat(24)}`;

type Sign = (secret: string, body: string, time?: number) => Readonly<Record<string, string>>;

/** How providers sign whose secret a deployment has. */
export const signers: Readonly<Record<string, Sign>> = {
  stripe: (secret, body, time = Math.floor(Date.now() / 1000)) => ({
    'stripe-signature': `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`,
  }),
  shopify: (secret, body) => ({
    'x-marketplace-hmac-sha256': createHmac('sha256', secret).update(body).digest('base64'),
    'x-marketplace-topic': 'orders/create',
    'x-marketplace-shop-domain': 'one.myshopify.com',
  }),
};

export interface Deployed {
  readonly secret: string;
  readonly provider: string;
}

/** Secrets of the deployment, by the route that they sign for: no two are the same. */
export const deploymentSecrets: Readonly<Record<string, Deployed>> = {
  '/portal/webhooks/card_payments': { secret: secretOf('portal'), provider: 'stripe' },
  '/accounting/webhooks/card_payments': { secret: secretOf('accounting'), provider: 'stripe' },
  '/commerce/webhooks/card_payments': { secret: secretOf('commerce'), provider: 'stripe' },
  '/commerce/webhooks/marketplace': { secret: secretOf('marketplace'), provider: 'shopify' },
};

/** A server with every secret that a deployment has. Nothing listens where it would ask a provider. */
export const variables: Readonly<Record<string, string>> = {
  ...billingVariables({ url: 'http://127.0.0.1:1' }),
  BILLING_STRIPE_WEBHOOK_SECRET: secretOf('portal'),
  ACCOUNTING_STRIPE_WEBHOOK_SECRET: secretOf('accounting'),
  COMMERCE_STRIPE_KEY: 'sk_test_of_the_shops',
  COMMERCE_STRIPE_PUBLISHABLE_KEY: 'pk_test_of_the_shops',
  COMMERCE_STRIPE_WEBHOOK_SECRET: secretOf('commerce'),
  MARKETPLACE_SHOPIFY_SECRET: secretOf('marketplace'),
};

/** An address that is configured, and whose requests it takes. */
export interface Configured {
  readonly path: string;
  readonly url: string;
  readonly provider: string;
}

/** Every route with every provider of which it takes requests: with the deployment's secret, or by a connection of a tenant. */
export async function configured(world: World, routes: readonly CallbackRoute[]): Promise<Configured[]> {
  const { portal } = world.server.addresses;
  const { tenant } = await world.signUp('connects@example.com');
  const token = await world.token({ user: 'connects@example.com', approver: true });
  const ask = async (method: string, path: string, body?: object): Promise<Json> => {
    const answer = await world.call(`${portal}/api${path}`, {
      token,
      tenant,
      method,
      ...(body === undefined ? {} : { body }),
    });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const made: Configured[] = routes.flatMap(({ path, url }) => {
    const own = deploymentSecrets[path];
    return own === undefined ? [] : [{ path, url, provider: own.provider }];
  });
  const { items } = await ask('GET', '/providers');
  for (const { receiver, provider, settings, secrets } of items as unknown as Record<string, Json>[]) {
    const connection = await ask('POST', '/connections', {
      receiver,
      provider,
      name: `${String(provider)} for ${String(receiver)}`,
      live: false,
      settings: Object.fromEntries(
        Object.keys(settings ?? {}).map((name) => [name, name === 'publishableKey' ? 'pk_test_x' : 'x']),
      ),
    });
    // The others are for the provider's API, which is not asked here. As long as the longest that a provider makes.
    if (secrets?.['signing'] !== undefined)
      await ask('PUT', `/connections/${String(connection['id'])}/secrets`, { secrets: { signing: 'ab'.repeat(64) } });
    const url = String(connection['address']);
    made.push({ path: new URL(url).pathname, url, provider: String(provider) });
  }
  return made;
}
