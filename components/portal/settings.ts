import { integer, list, settings, type ProcessConfig } from '@steward/kernel';
import { readCharging, type Charging } from './billing/charging.ts';
import { readPlans, type Plans } from './billing/plans.ts';
import type { Ceilings } from './quotas/tiers.ts';

export interface PortalSettings {
  readonly signup: {
    readonly scopes: readonly string[];
    readonly audiences: readonly string[];
    readonly attemptsPerAddressPerHour: number;
    readonly ownedPerOwnerPerDay: number;
    /** Of a new tenant. */
    readonly trialDays: number;
  };
  readonly plans: Plans;
  /** How tenants pay; undefined where they do not. */
  readonly charging: Charging | undefined;
  /** What visitors may fill of a tenant, whatever its tier. */
  readonly ceilings: Ceilings;
}

const variables = {
  SIGNUP_SCOPES: {
    default: 'service:external-agent:signup',
    says: 'Comma list of scopes: a token with one of them may sign up.',
  },
  SIGNUP_AUDIENCES: { default: '', says: 'Comma list of audiences: a token for one of them may sign up.' },
  SIGNUP_ATTEMPTS_PER_IP_PER_HOUR: { default: '20', says: 'Signup requests that one address may send in an hour.' },
  SIGNUP_OWNED_PER_OWNER_PER_DAY: { default: '3', says: 'Tenants that one owner may create in a day (UTC).' },
  TRIAL_DAYS: {
    default: '14',
    says: 'Days of trial of a new tenant, 1 to 3650. A change does not affect trials that have begun.',
  },
  PLANS: {
    default: '',
    says: 'JSON object: tier → `{"entitlements": [...]}` of `read`, `export`, `decide`, `write`, `approval`, and `"quotas"` of `attachmentBytes`, `callbackBytes`, `submissions`, `cartBytes`, `events`, `webhooks`, `uploads`, and `"price"`, the id of the provider’s price that pays for it, or a list of ids, the one to sell first; over `free`, `trial` and `community`.',
  },
  AFTER_TRIAL: {
    default: '',
    says:
      'The billing tier of a tenant after its trial, and of one that nobody pays for any more. Empty: `free`, which allows only reading, ' +
      'exporting and deciding, where `BILLING_STRIPE_KEY` is set; else `community`, which allows everything.',
  },
  BILLING_STRIPE_KEY: {
    default: '',
    says: 'The secret key of the Stripe account that tenants pay to: `sk_live_…`, `sk_test_…`, or a restricted one. Empty: nobody is charged.',
  },
  BILLING_STRIPE_WEBHOOK_SECRET: {
    default: '',
    says: 'Signing secret (`whsec_…`) of the endpoint `{portal_api_url}/webhooks/card_payments`; two after a comma while it is rotated.',
  },
  BILLING_STRIPE_URL: {
    default: 'https://api.stripe.com',
    says: 'Address of Stripe’s API for billing. With `NODE_ENV=production` https only.',
  },
  BILLING_GRACE_DAYS: {
    default: '14',
    says: 'Days for which an unpaid invoice, or a disputed payment, leaves a tenant its tier, 0 to 90.',
  },
  STOREFRONT_SUBMISSIONS_PER_TENANT: {
    default: '20000000',
    says: 'Submissions that a tenant may store, whatever its tier. Beyond this limit its forms answer `403 quota_exceeded`.',
  },
  STOREFRONT_CART_BYTES_PER_TENANT: {
    default: '20000000000',
    says:
      'Bytes of carts, checkouts without an order and answers to them that a tenant may store, whatever its tier: seven tenths for people, two for agents, the ' +
      'rest for tests. Beyond that, what is new or grows is answered `429 cart_limit`; paying never is. From four fifths of a part on, those that were left ' +
      'longest are deleted early.',
  },
} as const;

export const portalSettings = settings(
  variables,
  (env, { production }: Pick<ProcessConfig, 'production'>): PortalSettings => {
    const charging = readCharging(env, production);
    return {
      signup: {
        scopes: list(env, 'SIGNUP_SCOPES'),
        audiences: list(env, 'SIGNUP_AUDIENCES'),
        attemptsPerAddressPerHour: integer(env, 'SIGNUP_ATTEMPTS_PER_IP_PER_HOUR', 1, 1_000_000),
        ownedPerOwnerPerDay: integer(env, 'SIGNUP_OWNED_PER_OWNER_PER_DAY', 0, 1_000_000),
        trialDays: integer(env, 'TRIAL_DAYS', 1, 3650),
      },
      plans: readPlans(env, charging !== undefined),
      charging,
      ceilings: {
        submissions: integer(env, 'STOREFRONT_SUBMISSIONS_PER_TENANT', 1, 1_000_000_000),
        cartBytes: integer(env, 'STOREFRONT_CART_BYTES_PER_TENANT', 1, 1_000_000_000_000_000),
      },
    };
  },
);
