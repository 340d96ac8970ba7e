import { ConfigError, isLoopback, oneOf, type Source, text } from '@steward/kernel';

export interface TrackingSettings {
  /** Of the provider's API. */
  readonly api: URL;
}

export const trackingVariables = {
  SHIPPING_TRACKING: {
    default: '',
    says:
      '`easypost` takes what EasyPost says of parcels at `{commerce_api_url}/webhooks/shipping`, by the accounts that tenants connect. Empty: the ' +
      'address is not there.',
  },
  SHIPPING_EASYPOST_URL: {
    default: 'https://api.easypost.com',
    says: 'Address of EasyPost’s API. With `NODE_ENV=production` https only.',
  },
} as const;

/** @throws ConfigError */
export function readTracking(
  env: Source<keyof typeof trackingVariables>,
  production: boolean,
): TrackingSettings | undefined {
  const chosen = text(env, 'SHIPPING_TRACKING');
  const api = URL.parse(text(env, 'SHIPPING_EASYPOST_URL'));
  const plain = api?.protocol === 'http:' && !production && isLoopback(api.hostname);
  if (api === null || !(api.protocol === 'https:' || plain) || `${api.origin}/` !== api.href)
    throw new ConfigError(
      'SHIPPING_EASYPOST_URL must be an https address without a path; http only at this machine, and not in production.',
    );
  if (chosen === '') return undefined;
  oneOf('SHIPPING_TRACKING', chosen, ['easypost']);
  return { api };
}
