import { ConfigError, isLoopback, list, type Source, text } from '@steward/kernel';

/** The deployment's own account at Stripe, which tenants without one of their own are lent. */
export interface DeploymentAccount {
  readonly apiKey: string;
  readonly publishableKey: string | undefined;
  /** Whether its key takes real money. */
  readonly live: boolean;
}

export interface CardSettings {
  /** Of the provider's API. */
  readonly api: URL;
  /** Undefined: only tenants that connected an account of their own take cards. */
  readonly account: DeploymentAccount | undefined;
  /** Of the endpoint of the deployment's account: the current one, and the previous one while it is rotated. */
  readonly webhookSecrets: readonly string[];
}

export const cardVariables = {
  COMMERCE_STRIPE_KEY: {
    default: '',
    says:
      'The secret key of the Stripe account that takes cards for shops that have connected none of their own: `sk_live_…`, `sk_test_…`, or a ' +
      'restricted one. Empty: there is none.',
  },
  COMMERCE_STRIPE_PUBLISHABLE_KEY: {
    default: '',
    says: 'The publishable key of that account (`pk_…`), which pages of buyers are told.',
  },
  COMMERCE_STRIPE_WEBHOOK_SECRET: {
    default: '',
    says: 'Signing secret (`whsec_…`) of the endpoint `{commerce_api_url}/webhooks/card_payments`; two after a comma while it is rotated.',
  },
  COMMERCE_STRIPE_URL: {
    default: 'https://api.stripe.com',
    says: 'Address of Stripe’s API for payments of shops. With `NODE_ENV=production` https only.',
  },
} as const;

/** @throws ConfigError */
export function readCards(env: Source<keyof typeof cardVariables>, production: boolean): CardSettings {
  const api = addressOf(text(env, 'COMMERCE_STRIPE_URL'), production);
  const apiKey = text(env, 'COMMERCE_STRIPE_KEY');
  const webhookSecrets = list(env, 'COMMERCE_STRIPE_WEBHOOK_SECRET');
  if (webhookSecrets.length > 2 || webhookSecrets.some((secret) => !/^whsec_[\x21-\x7e]{16,500}$/.test(secret)))
    throw new ConfigError(
      'COMMERCE_STRIPE_WEBHOOK_SECRET must be one or two signing secrets, whsec_…, with a comma between.',
    );
  if ((apiKey === '') !== (webhookSecrets.length === 0))
    throw new ConfigError('Set COMMERCE_STRIPE_KEY and COMMERCE_STRIPE_WEBHOOK_SECRET both, or neither.');
  if (apiKey === '') return { api, account: undefined, webhookSecrets };
  const mode = /^[sr]k_(?<mode>live|test)_[A-Za-z0-9_]{1,500}$/.exec(apiKey)?.groups?.['mode'];
  if (mode === undefined)
    throw new ConfigError('COMMERCE_STRIPE_KEY must begin with sk_live_, sk_test_, rk_live_ or rk_test_.');
  const publishableKey = text(env, 'COMMERCE_STRIPE_PUBLISHABLE_KEY');
  // Pages of buyers are told it, so a secret key must not get there.
  if (publishableKey !== '' && !publishableKey.startsWith(`pk_${mode}_`))
    throw new ConfigError(
      `COMMERCE_STRIPE_PUBLISHABLE_KEY must begin with pk_${mode}_, as COMMERCE_STRIPE_KEY is of that mode.`,
    );
  return {
    api,
    account: { apiKey, live: mode === 'live', publishableKey: publishableKey === '' ? undefined : publishableKey },
    webhookSecrets,
  };
}

function addressOf(given: string, production: boolean): URL {
  const url = URL.parse(given);
  const plain = url?.protocol === 'http:' && !production && isLoopback(url.hostname);
  if (url === null || !(url.protocol === 'https:' || plain) || `${url.origin}/` !== url.href)
    throw new ConfigError(
      'COMMERCE_STRIPE_URL must be an https address without a path; http only at this machine, and not in production.',
    );
  return url;
}
