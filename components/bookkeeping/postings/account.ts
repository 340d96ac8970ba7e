import type { TenantTransaction } from '@steward/sql';
import { bookkeepingFail } from '../errors.ts';
import { type ProfileAccounts, transferAccountsOf } from '../profile/profile.ts';

const words = {
  clearingAccount: 'money on its way',
  undepositedAccount: 'money that is in no bank yet',
  salesAccount: 'sales',
  shippingAccount: 'shipping',
  inventoryAccount: 'goods in stock',
  costOfSalesAccount: 'goods that were sold',
  shrinkageAccount: 'goods that were lost',
} as const;

/** The id of an account of the profile. @throws Problem `posting_account_missing` (409) */
export function accountOf(profile: ProfileAccounts, use: keyof typeof words): string {
  const found = profile[use];
  if (found === null)
    throw bookkeepingFail(
      'posting_account_missing',
      `The posting profile has no account in use for ${words[use]}: choose one with service_update_posting_profile.`,
    );
  return found.id;
}

/**
 * The id of the account where money of a payment handler is. What people record came by the bank, so that its line finds it there; where nobody can
 * tell which bank, or it was cash, it is not deposited yet.
 * @throws Problem `posting_account_missing` (409)
 */
export async function clearingOf(
  tx: Pick<TenantTransaction, 'query' | 'context'>,
  profile: ProfileAccounts,
  moved: { readonly handler: string; readonly method: string; readonly amount: { readonly currency: string } },
): Promise<string> {
  const { handler, method, amount } = moved;
  const own = profile.clearingAccounts.find((one) => one.handler === handler);
  if (own !== undefined) return own.account.id;
  if (handler !== 'manual') return accountOf(profile, 'clearingAccount');
  const banks = method === 'cash_on_delivery' ? [] : await transferAccountsOf(tx, profile);
  const bank = banks.find(({ currency }) => currency === amount.currency);
  return bank?.account.id ?? accountOf(profile, 'undepositedAccount');
}
