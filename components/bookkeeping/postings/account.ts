import { bookkeepingFail } from '../errors.ts';
import type { PostingProfile } from '../profile/profile.ts';

const words = {
  clearingAccount: 'money on its way',
  salesAccount: 'sales',
  shippingAccount: 'shipping',
  inventoryAccount: 'goods in stock',
  costOfSalesAccount: 'goods that were sold',
  shrinkageAccount: 'goods that were lost',
} as const;

/** The id of an account of the profile. @throws Problem `posting_account_missing` (409) */
export function accountOf(profile: PostingProfile, use: keyof typeof words): string {
  const found = profile[use];
  if (found === null)
    throw bookkeepingFail(
      'posting_account_missing',
      `The posting profile has no account in use for ${words[use]}: choose one with service_update_posting_profile.`,
    );
  return found.id;
}

/** The id of the account where money of a payment handler is. @throws Problem `posting_account_missing` (409) */
export const clearingOf = (profile: PostingProfile, handler: string): string =>
  profile.clearingAccounts.find((one) => one.handler === handler)?.account.id ?? accountOf(profile, 'clearingAccount');
