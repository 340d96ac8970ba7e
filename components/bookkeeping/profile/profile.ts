import { accountsFor, type AccountFor, bankAccountsOf } from '@steward/accounting';
import { type Fixed } from '@steward/contract';
import { type Row, statement, type Statement } from '@steward/sql';
import type { TenantTransaction } from '@steward/sql';
import { z } from 'zod';

/** Orders post nothing; they make drafts for people to issue; they post. */
export const modes = ['off', 'drafts', 'post'] as const;
export type Mode = (typeof modes)[number];

export const uses = ['sales', 'shipping', 'inventory', 'cost_of_sales', 'shrinkage', 'clearing'] as const;
export type Use = (typeof uses)[number];

/** As its row keeps it: ids of accounts, or none. */
export interface Kept {
  readonly mode: Mode;
  readonly sales: string | null;
  readonly shipping: string | null;
  readonly inventory: string | null;
  readonly costOfSales: string | null;
  readonly shrinkage: string | null;
  /** By payment handler. */
  readonly clearing: Readonly<Record<string, string>>;
  readonly version: number;
}

/** Until somebody decides: drafts, which post nothing. */
const unchanged: Kept = {
  mode: 'drafts',
  sales: null,
  shipping: null,
  inventory: null,
  costOfSales: null,
  shrinkage: null,
  clearing: {},
  version: 1,
};

export const selectProfile = (tenant: string, hold = ''): Statement =>
  statement(
    `select mode, sales_account_id, shipping_account_id, inventory_account_id, cost_of_sales_account_id, shrinkage_account_id,
       clearing_accounts, version
     from bookkeeping.profile where tenant_id = $1::uuid ${hold}`,
    [tenant],
  );

export const keptOf = (row: Row | undefined): Kept =>
  row === undefined
    ? unchanged
    : {
        mode: row['mode'] as Mode,
        sales: row['sales_account_id'] as string | null,
        shipping: row['shipping_account_id'] as string | null,
        inventory: row['inventory_account_id'] as string | null,
        costOfSales: row['cost_of_sales_account_id'] as string | null,
        shrinkage: row['shrinkage_account_id'] as string | null,
        clearing: row['clearing_accounts'] as Readonly<Record<string, string>>,
        version: row['version'] as number,
      };

export const account = z.object({
  id: z.uuid(),
  code: z.string(),
  name: z.string(),
  /** false: nobody chose it; it is the one that the books have for this. */
  chosen: z.boolean(),
});
export type ProfileAccount = Readonly<z.output<typeof account>>;

export const postingProfile = z.object({
  mode: z.enum(modes),
  salesAccount: account.nullable(),
  shippingAccount: account.nullable(),
  /** Where money of a payment handler is that has no account of its own, but for what people record. */
  clearingAccount: account.nullable(),
  /** Where bank transfers and payments of invoices are that people record (handler `manual`, unless it has an account of its own): the one bank account of the books in a currency. */
  transferAccounts: z.array(z.object({ currency: z.string(), account })),
  /** Where other money is that people record: cash, and transfers in a currency in which the books have no bank account, or several. */
  undepositedAccount: account.nullable(),
  clearingAccounts: z.array(z.object({ handler: z.string(), account })),
  inventoryAccount: account.nullable(),
  costOfSalesAccount: account.nullable(),
  /** What goods cost that were lost, less what was found. */
  shrinkageAccount: account.nullable(),
  /** Counts changes. */
  version: z.int(),
});
export type PostingProfile = Fixed<z.output<typeof postingProfile>>;
/** What needs no look at the banks. */
export type ProfileAccounts = Omit<PostingProfile, 'transferAccounts'>;

/** What the books have for each use where nobody chose. Shipping is sold like anything else, and what is lost costs like what is sold. */
const controls: Readonly<Record<Use | 'undeposited', readonly string[]>> = {
  sales: ['sales'],
  shipping: ['sales'],
  inventory: ['inventory'],
  cost_of_sales: ['cost_of_sales'],
  shrinkage: ['shrinkage'],
  clearing: ['clearing', 'undeposited'],
  undeposited: ['undeposited', 'clearing'],
};

type Asker = Pick<TenantTransaction, 'query' | 'context'>;

/** The profile with its accounts found. One that was archived since it was chosen is not there. */
export async function shownProfile(tx: Asker, kept: Kept): Promise<PostingProfile> {
  const accounts = await profileAccounts(tx, kept);
  return { ...accounts, transferAccounts: await transferAccountsOf(tx, accounts) };
}

/** Of each currency in which the books have one bank account, that one. What is in use for another handler is no bank's, such as what a marketplace owes. */
export async function transferAccountsOf(
  tx: Asker,
  { clearingAccounts }: Pick<ProfileAccounts, 'clearingAccounts'>,
): Promise<PostingProfile['transferAccounts']> {
  const others = new Set(clearingAccounts.flatMap(({ handler, account: own }) => (handler === 'manual' ? [] : own.id)));
  const banks = (await bankAccountsOf(tx)).filter(({ id, control }) => control === 'bank' || !others.has(id));
  return [...Map.groupBy(banks, ({ currency }) => currency)].flatMap(([currency, [only, ...more]]) =>
    only === undefined || more.length > 0
      ? []
      : { currency, account: { id: only.id, code: only.code, name: only.name, chosen: false } },
  );
}

/** As `shownProfile`, for whoever posts. */
export async function profileAccounts(tx: Asker, kept: Kept): Promise<ProfileAccounts> {
  const { sales, shipping, inventory, costOfSales, shrinkage, clearing } = kept;
  const chosen = [sales, shipping, inventory, costOfSales, shrinkage, ...Object.values(clearing)];
  const found = await accountsFor(tx, {
    names: chosen.filter((id) => id !== null),
    controls: Object.values(controls).flat(),
  });
  const show = (one: AccountFor | undefined, isChosen: boolean): ProfileAccount | null =>
    one === undefined ? null : { id: one.id, code: one.code, name: one.name, chosen: isChosen };
  const fallback = (use: keyof typeof controls): AccountFor | undefined =>
    controls[use].map((control) => found.find((one) => one.control === control)).find((one) => one !== undefined);
  const byId = (id: string): AccountFor | undefined => found.find((one) => one.id === id);
  const of = (use: keyof typeof controls, id: string | null): ProfileAccount | null =>
    id === null ? show(fallback(use), false) : show(byId(id), true);
  return {
    mode: kept.mode,
    salesAccount: of('sales', kept.sales),
    // Whoever chose where sales go wants shipping there too, unless that was chosen as well.
    shippingAccount: kept.shipping === null ? unchosen(of('sales', kept.sales)) : of('shipping', kept.shipping),
    clearingAccount: of('clearing', null),
    undepositedAccount: of('undeposited', null),
    clearingAccounts: Object.entries(kept.clearing)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([handler, id]) => {
        const own = show(byId(id), true);
        return own === null ? [] : [{ handler, account: own }];
      }),
    inventoryAccount: of('inventory', kept.inventory),
    costOfSalesAccount: of('cost_of_sales', kept.costOfSales),
    shrinkageAccount:
      of('shrinkage', kept.shrinkage) ??
      (kept.shrinkage === null ? unchosen(of('cost_of_sales', kept.costOfSales)) : null),
    version: kept.version,
  };
}

const unchosen = (one: ProfileAccount | null): ProfileAccount | null =>
  one === null ? null : { ...one, chosen: false };
