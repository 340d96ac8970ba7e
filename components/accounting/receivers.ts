import type { Audit } from '@steward/audit';
import {
  adyen,
  authorizenet,
  braintree,
  connectionCredentials,
  createPlaid,
  createPlaidKeys,
  errors as callbacksFail,
  paypal,
  type Projection,
  type Receiver,
  square,
  stripe,
  taxbandits,
} from '@steward/callbacks';
import { createProviderClient, type Log } from '@steward/kernel';
import { createPlaidApi } from './bank-feed/plaid.ts';
import { bankProjection, itemTopics, movementTopics } from './bank-feed/sync.ts';
import { adyenClearing } from './clearing/adyen.ts';
import { braintreeClearing } from './clearing/braintree.ts';
import { authorizeNetClearing } from './clearing/authorize-net.ts';
import { paypalClearing } from './clearing/paypal.ts';
import { apiOf } from './clearing/provider.ts';
import { clearingReceiver, type CredentialsOf, proven } from './clearing/receivers.ts';
import { squareClearing } from './clearing/square.ts';
import { stripeClearing } from './clearing/stripe.ts';
import { keepBooks } from './permissions.ts';
import { taxProjection } from './taxforms/synchronize.ts';
import { createTaxBandits, taxTopics } from './taxforms/taxbandits.ts';
import type { AccountingSettings } from './settings.ts';

export interface ReceiverPorts {
  readonly audit: Pick<Audit, 'secrets'>;
  readonly config: AccountingSettings;
  readonly log: Log;
  /** Seals taxpayers' numbers. */
  readonly secret: Uint8Array;
}

/** What providers send to accounting, and what becomes of it. */
export function accountingReceivers({ audit, config, log, secret }: ReceiverPorts): readonly Receiver[] {
  const { providers, connectSecrets } = config;
  const credentialsOf: CredentialsOf = async (context, connectionId) => {
    const scope = context.require(keepBooks);
    return connectionCredentials({ context, query: scope.read }, connectionId, audit.secrets);
  };
  const taxBandits = createTaxBandits(
    apiOf('TaxBandits', providers.taxBandits, log),
    apiOf('TaxBandits login', providers.taxBanditsLogin, log),
  );
  const plaid = createPlaidApi(apiOf('Plaid', providers.plaid, log));
  const plaidKeys = createPlaidKeys({
    live: createProviderClient({ name: 'Plaid', base: providers.plaid.live, log }),
    sandbox: createProviderClient({ name: 'Plaid', base: providers.plaid.test, log }),
  });
  return [
    clearingReceiver(
      {
        name: 'card_payments',
        summary: 'Books what a connected account at Stripe takes, gives back and pays out',
        providers: [{ adapter: stripe, provider: stripeClearing(apiOf('Stripe', providers.stripe, log)) }],
        secrets: () => connectSecrets.map((secret) => ({ secret, settings: {} })),
        // Without an account it is about the platform's own, which the portal bills with.
        admit: ({ account }) => {
          if (account === null)
            throw callbacksFail(
              'callback_refused',
              'The event is of no connected account: register this address as an endpoint for connected accounts.',
            );
        },
      },
      credentialsOf,
    ),
    clearingReceiver(
      {
        name: 'wallet_payments',
        summary: 'Books what an account at PayPal takes and gives back',
        providers: [{ adapter: paypal, provider: paypalClearing(apiOf('PayPal', providers.paypal, log)) }],
      },
      credentialsOf,
    ),
    clearingReceiver(
      {
        name: 'gateway_payments',
        summary: 'Books what an account at a payment gateway takes, gives back and pays out',
        providers: [
          {
            adapter: authorizenet,
            provider: authorizeNetClearing(apiOf('Authorize.Net', providers.authorizeNet, log)),
          },
          { adapter: adyen, provider: adyenClearing(apiOf('Adyen', providers.adyen, log)) },
          { adapter: braintree, provider: braintreeClearing(apiOf('Braintree', providers.braintree, log)) },
          { adapter: square, provider: squareClearing(apiOf('Square', providers.square, log)) },
        ],
      },
      credentialsOf,
    ),
    {
      name: 'accounting.bank_feed',
      at: 'accounting',
      path: '/webhooks/bank_feed',
      summary: 'Reads what moved on accounts at a bank',
      adapters: [createPlaid(plaidKeys)],
      connectable: true,
      credentials: () => ({ accessToken: 'Access token of the item, `access-…`.' }),
      secrets: () => [],
      accountOf: async (connection, secrets) => proven(async () => plaid.accountOf(connection, secrets)),
      projections: [
        {
          topics: [...movementTopics, ...itemTopics],
          projection: bankProjection(plaid, credentialsOf) as Projection<never>,
        },
      ],
    },
    {
      name: 'accounting.tax_forms',
      at: 'accounting',
      path: '/webhooks/tax_forms/1099',
      summary: 'Reads how filings of Forms 1099 stand, and W-9s that payees filled in',
      adapters: [taxbandits],
      connectable: true,
      credentials: () => ({ userToken: 'User token of the API.' }),
      secrets: () => [],
      projections: [
        { topics: taxTopics, projection: taxProjection(taxBandits, credentialsOf, secret) as Projection<never> },
      ],
    },
  ];
}
