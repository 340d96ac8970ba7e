import type { Adapter } from './adapter.ts';
import { adyen } from './adyen.ts';
import { authorizenet } from './authorizenet.ts';
import { braintree } from './braintree.ts';
import { easypost } from './easypost.ts';
import { paypal } from './paypal.ts';
import { createPlaid } from './plaid.ts';
import type { PlaidKeys } from './plaid-keys.ts';
import { shipstation } from './shipstation.ts';
import { shopify } from './shopify.ts';
import { square } from './square.ts';
import { stripe } from './stripe.ts';
import { taxbandits } from './taxbandits.ts';

/** All schemes that are spoken, as the guide lists them. Each is attacked by the same test. */
export const allAdapters = (plaidKeys: PlaidKeys): readonly Adapter[] => [
  stripe,
  paypal,
  authorizenet,
  adyen,
  square,
  braintree,
  createPlaid(plaidKeys),
  taxbandits,
  shopify,
  easypost,
  shipstation,
];
