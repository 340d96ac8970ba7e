import { ConfigError, isLoopback, list, text, type Source } from '@steward/kernel';

/** The account at Stripe that tenants pay to. */
export interface Charging {
  readonly key: string;
  /** Whether the key moves money; events of the other kind are refused. */
  readonly live: boolean;
  /** Current, and the one before it. */
  readonly webhookSecrets: readonly string[];
  readonly url: URL;
}

/** @throws ConfigError that says what to mend */
export function readCharging(
  env: Source<'BILLING_STRIPE_KEY' | 'BILLING_STRIPE_WEBHOOK_SECRET' | 'BILLING_STRIPE_URL'>,
  production: boolean,
): Charging | undefined {
  const key = text(env, 'BILLING_STRIPE_KEY');
  const webhookSecrets = list(env, 'BILLING_STRIPE_WEBHOOK_SECRET');
  const url = addressOf(text(env, 'BILLING_STRIPE_URL'), production);
  if (key === '' && webhookSecrets.length === 0) return undefined;
  if (key === '' || webhookSecrets.length === 0)
    throw new ConfigError('Set BILLING_STRIPE_KEY and BILLING_STRIPE_WEBHOOK_SECRET both, or neither.');
  const mode = /^[sr]k_(?<mode>live|test)_[A-Za-z0-9_]{1,500}$/.exec(key)?.groups?.['mode'];
  if (mode === undefined)
    throw new ConfigError('BILLING_STRIPE_KEY must begin with sk_live_, sk_test_, rk_live_ or rk_test_.');
  if (webhookSecrets.length > 2 || webhookSecrets.some((secret) => !/^whsec_[\x21-\x7e]{16,500}$/.test(secret)))
    throw new ConfigError(
      'BILLING_STRIPE_WEBHOOK_SECRET must be one or two signing secrets, whsec_…, with a comma between.',
    );
  return { key, live: mode === 'live', webhookSecrets, url };
}

function addressOf(given: string, production: boolean): URL {
  const url = URL.parse(given);
  const plain = url?.protocol === 'http:' && !production && isLoopback(url.hostname);
  if (
    url === null ||
    (url.protocol !== 'https:' && !plain) ||
    url.pathname !== '/' ||
    url.search !== '' ||
    url.username !== ''
  )
    throw new ConfigError(
      'BILLING_STRIPE_URL must be an https address without a path; http only at this machine, and not in production.',
    );
  return url;
}
