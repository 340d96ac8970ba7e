import { ConfigError, isLoopback, list, settings, text, type Source } from '@steward/kernel';

/** Where the APIs of a provider are, for accounts that move money and for those of tests. */
export interface Bases {
  readonly live: string;
  readonly test: string;
}

export interface AccountingSettings {
  /** Signing secrets of the endpoint for connected accounts at Stripe: the current one, and the one before it. */
  readonly connectSecrets: readonly string[];
  readonly providers: {
    readonly stripe: Bases;
    readonly paypal: Bases;
    readonly square: Bases;
    readonly authorizeNet: Bases;
    readonly adyen: Bases;
    readonly braintree: Bases;
    readonly plaid: Bases;
    readonly taxBandits: Bases;
    readonly taxBanditsLogin: Bases;
  };
}

const api = (of: string, kind = ''): string => `Where the ${kind}API of ${of} is.`;

const variables = {
  ACCOUNTING_STRIPE_WEBHOOK_SECRET: {
    default: '',
    says:
      'Signing secret of the Stripe endpoint that tells of connected accounts, `whsec_…`; while it is rotated, the new one and the one before it with a comma ' +
      'between. Without it, `/webhooks/card_payments` of accounting answers 503.',
  },
  ACCOUNTING_STRIPE_URL: { default: 'https://api.stripe.com', says: api('Stripe') },
  ACCOUNTING_PAYPAL_URL: { default: 'https://api-m.paypal.com', says: api('PayPal') },
  ACCOUNTING_PAYPAL_TEST_URL: { default: 'https://api-m.sandbox.paypal.com', says: api('PayPal', 'sandbox ') },
  ACCOUNTING_SQUARE_URL: { default: 'https://connect.squareup.com', says: api('Square') },
  ACCOUNTING_SQUARE_TEST_URL: { default: 'https://connect.squareupsandbox.com', says: api('Square', 'sandbox ') },
  ACCOUNTING_AUTHORIZE_NET_URL: { default: 'https://api.authorize.net', says: api('Authorize.Net') },
  ACCOUNTING_AUTHORIZE_NET_TEST_URL: {
    default: 'https://apitest.authorize.net',
    says: api('Authorize.Net', 'sandbox '),
  },
  ACCOUNTING_ADYEN_REPORTS_URL: { default: 'https://ca-live.adyen.com', says: 'Where reports of Adyen are.' },
  ACCOUNTING_ADYEN_REPORTS_TEST_URL: { default: 'https://ca-test.adyen.com', says: 'Where test reports of Adyen are.' },
  ACCOUNTING_BRAINTREE_URL: { default: 'https://api.braintreegateway.com', says: api('Braintree') },
  ACCOUNTING_BRAINTREE_TEST_URL: {
    default: 'https://api.sandbox.braintreegateway.com',
    says: api('Braintree', 'sandbox '),
  },
  ACCOUNTING_PLAID_URL: { default: 'https://production.plaid.com', says: api('Plaid') },
  ACCOUNTING_PLAID_TEST_URL: { default: 'https://sandbox.plaid.com', says: api('Plaid', 'sandbox ') },
  ACCOUNTING_TAXBANDITS_URL: { default: 'https://api.taxbandits.com', says: api('TaxBandits') },
  ACCOUNTING_TAXBANDITS_TEST_URL: { default: 'https://testapi.taxbandits.com', says: api('TaxBandits', 'sandbox ') },
  ACCOUNTING_TAXBANDITS_LOGIN_URL: {
    default: 'https://oauth.expressauth.net',
    says: 'Where TaxBandits gives out tokens for its API.',
  },
  ACCOUNTING_TAXBANDITS_LOGIN_TEST_URL: {
    default: 'https://testoauth.expressauth.net',
    says: 'Where TaxBandits gives out tokens for its sandbox API.',
  },
} as const;
type Name = keyof typeof variables;

export const accountingSettings = settings(variables, (env, { production }): AccountingSettings => {
  const connectSecrets = list(env, 'ACCOUNTING_STRIPE_WEBHOOK_SECRET');
  if (connectSecrets.length > 2 || connectSecrets.some((secret) => !/^whsec_[\x21-\x7e]{16,500}$/.test(secret)))
    throw new ConfigError(
      'ACCOUNTING_STRIPE_WEBHOOK_SECRET must be one or two signing secrets, whsec_…, with a comma between.',
    );
  const bases = (live: Name, test: Name): Bases => ({
    live: addressOf(env, live, production),
    test: addressOf(env, test, production),
  });
  return {
    connectSecrets,
    providers: {
      stripe: bases('ACCOUNTING_STRIPE_URL', 'ACCOUNTING_STRIPE_URL'),
      paypal: bases('ACCOUNTING_PAYPAL_URL', 'ACCOUNTING_PAYPAL_TEST_URL'),
      square: bases('ACCOUNTING_SQUARE_URL', 'ACCOUNTING_SQUARE_TEST_URL'),
      authorizeNet: bases('ACCOUNTING_AUTHORIZE_NET_URL', 'ACCOUNTING_AUTHORIZE_NET_TEST_URL'),
      adyen: bases('ACCOUNTING_ADYEN_REPORTS_URL', 'ACCOUNTING_ADYEN_REPORTS_TEST_URL'),
      braintree: bases('ACCOUNTING_BRAINTREE_URL', 'ACCOUNTING_BRAINTREE_TEST_URL'),
      plaid: bases('ACCOUNTING_PLAID_URL', 'ACCOUNTING_PLAID_TEST_URL'),
      taxBandits: bases('ACCOUNTING_TAXBANDITS_URL', 'ACCOUNTING_TAXBANDITS_TEST_URL'),
      taxBanditsLogin: bases('ACCOUNTING_TAXBANDITS_LOGIN_URL', 'ACCOUNTING_TAXBANDITS_LOGIN_TEST_URL'),
    },
  };
});

function addressOf(env: Source<Name>, name: Name, production: boolean): string {
  const url = URL.parse(text(env, name));
  const plain = url?.protocol === 'http:' && !production && isLoopback(url.hostname);
  if (
    url === null ||
    (url.protocol !== 'https:' && !plain) ||
    url.pathname !== '/' ||
    url.search !== '' ||
    url.hash !== '' ||
    url.username !== ''
  )
    throw new ConfigError(
      `${name} must be an https address without a path; http only at this machine, and not in production.`,
    );
  return url.href.replace(/\/$/, '');
}
