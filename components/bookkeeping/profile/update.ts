import { asItWas, operation } from '@steward/access';
import { type AccountFor, accountsFor } from '@steward/accounting';
import { type FieldError } from '@steward/kernel';
import { statement, type TenantTransaction } from '@steward/sql';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { profileDigest } from '../contents.ts';
import { bookkeepingFail } from '../errors.ts';
import { event } from '../events.ts';
import { decides } from '../operations.ts';
import { type Kept, keptOf, modes, postingProfile, selectProfile, shownProfile, type Use } from './profile.ts';

const named = (what: string) =>
  z
    .string()
    .trim()
    .min(1)
    .max(40)
    .nullable()
    .optional()
    .meta({ description: `Code or id of the account ${what}, from service_list_accounts. null: the default one.` });
export const handlerName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'Give the name of a payment handler, such as manual')
  .meta({ description: 'Payment handler, such as `manual` or `card`.' });
const mostHandlers = 20;

/** Who may be chosen for what, and in which words others are refused. */
const fits: Readonly<Record<Use, { readonly holds: (one: AccountFor) => boolean; readonly wanted: string }>> = {
  sales: { holds: ({ type }) => type === 'income', wanted: 'an income account' },
  shipping: { holds: ({ type }) => type === 'income', wanted: 'an income account' },
  inventory: {
    holds: ({ type, control }) => type === 'asset' && (control === null || control === 'inventory'),
    wanted: 'an asset account that nothing else posts to',
  },
  cost_of_sales: { holds: ({ type }) => type === 'expense', wanted: 'an expense account' },
  shrinkage: { holds: ({ type }) => type === 'expense', wanted: 'an expense account' },
  clearing: {
    holds: ({ type, control }) =>
      type === 'asset' && (control === null || ['bank', 'undeposited', 'clearing'].includes(control)),
    wanted: 'a bank, cash or clearing account',
  },
};

/**
 * Changes what is given and nothing else. What was posted before stays as it is.
 * @throws Problem `posting_account_unusable` (422) with pointers
 */
export const updatePostingProfile = operation(
  {
    ...decides,
    name: 'service_update_posting_profile',
    input: z.strictObject({
      mode: z
        .enum(modes)
        .optional()
        .meta({
          description:
            'What orders do to the books. off: nothing. drafts: each order makes a draft invoice, which people issue. post: ' +
            'invoices are issued, and payments, refunds and the cost of sold goods recorded, without anybody being asked.',
        }),
      salesAccount: named('that sales are income of'),
      shippingAccount: named('that shipping is income of; default: as sales'),
      inventoryAccount: named('that goods in stock are worth'),
      costOfSalesAccount: named('that sold goods cost'),
      shrinkageAccount: named('that lost goods cost; default: Inventory shrinkage, else as sold goods'),
      clearingAccounts: z
        .array(
          z.strictObject({
            handler: handlerName,
            account: z
              .string()
              .trim()
              .min(1)
              .max(40)
              .meta({ description: 'Code or id of a bank, cash or clearing account.' }),
          }),
        )
        .max(mostHandlers)
        .optional()
        .meta({ description: 'Where the money of which payment handler is until it is paid out. The whole list.' }),
    }),
    answer: postingProfile,
    errors: ['posting_account_unusable'],
  },
  async (scope, asked) =>
    scope.write(async (tx) => {
      const { tenant } = tx.context;
      await tx.mark();
      const given = await read(tx, asked);
      const changing = (kept: Kept): (keyof Kept)[] =>
        (Object.keys(given) as (keyof Kept)[]).filter((member) => !isDeepStrictEqual(given[member], kept[member]));
      const [before] = await tx.query(selectProfile(tenant));
      if (before === undefined) {
        const unchanged = keptOf(undefined);
        if (changing(unchanged).length === 0) return asItWas(await shownProfile(tx, unchanged));
        // The row is there before it is held, so that two first changes wait for each other.
        await tx.query(
          statement(`insert into bookkeeping.profile (tenant_id, mode) values ($1::uuid, $2) on conflict do nothing`, [
            tenant,
            unchanged.mode,
          ]),
        );
      }
      const [held] = await tx.query(selectProfile(tenant, 'for update'));
      const kept = keptOf(held);
      const changed = changing(kept);
      if (changed.length === 0) return asItWas(await shownProfile(tx, kept));
      const next: Kept = { ...kept, ...given };
      const [row] = await tx.query(
        statement(
          `update bookkeeping.profile set mode = $2, sales_account_id = $3::uuid, shipping_account_id = $4::uuid,
             inventory_account_id = $5::uuid, cost_of_sales_account_id = $6::uuid, shrinkage_account_id = $7::uuid,
             clearing_accounts = $8::jsonb, version = version + 1, changed_at = clock_timestamp()
           where tenant_id = $1::uuid returning version`,
          [
            tenant,
            next.mode,
            next.sales,
            next.shipping,
            next.inventory,
            next.costOfSales,
            next.shrinkage,
            JSON.stringify(next.clearing),
          ],
        ),
      );
      const version = Number(row?.['version']);
      // What waits may be carried out by it.
      await tx.query(
        statement(
          `update bookkeeping.posting set next_at = clock_timestamp() where tenant_id = $1::uuid and state = 'waiting'`,
          [tenant],
        ),
      );
      tx.record(
        event('commerce.posting_profile.changed', {
          mode: next.mode,
          fields: changed.map((member) => inLog[member]),
          version,
          content_sha256: await profileDigest(tx),
        }),
      );
      return shownProfile(tx, { ...next, version });
    }),
);

const inLog: Readonly<Record<keyof Kept, string>> = {
  mode: 'mode',
  sales: 'sales_account',
  shipping: 'shipping_account',
  inventory: 'inventory_account',
  costOfSales: 'cost_of_sales_account',
  shrinkage: 'shrinkage_account',
  clearing: 'clearing_accounts',
  version: 'version',
};

interface Asked {
  readonly mode?: Kept['mode'] | undefined;
  readonly salesAccount?: string | null | undefined;
  readonly shippingAccount?: string | null | undefined;
  readonly inventoryAccount?: string | null | undefined;
  readonly costOfSalesAccount?: string | null | undefined;
  readonly shrinkageAccount?: string | null | undefined;
  readonly clearingAccounts?: readonly { readonly handler: string; readonly account: string }[] | undefined;
}

/** The members that are given, their accounts found. @throws Problem `posting_account_unusable` (422) */
async function read(tx: TenantTransaction, asked: Asked): Promise<Partial<Kept>> {
  const single = [
    ['sales', 'sales', 'salesAccount'],
    ['shipping', 'shipping', 'shippingAccount'],
    ['inventory', 'inventory', 'inventoryAccount'],
    ['costOfSales', 'cost_of_sales', 'costOfSalesAccount'],
    ['shrinkage', 'shrinkage', 'shrinkageAccount'],
  ] as const;
  const names = [
    ...single.flatMap(([, , member]) => asked[member] ?? []),
    ...(asked.clearingAccounts ?? []).map(({ account }) => account),
  ];
  const found = names.length === 0 ? [] : await accountsFor(tx, { names, controls: [] });
  const faults: FieldError[] = [];
  const idOf = (name: string, use: Use, pointer: string): string => {
    const one = found.find(({ id, code }) => id === name.toLowerCase() || code === name);
    if (one !== undefined && fits[use].holds(one)) return one.id;
    const detail =
      one === undefined
        ? `${name} is no account in use: list the accounts and choose ${fits[use].wanted}.`
        : `${one.code} ${one.name} is not ${fits[use].wanted}: list the accounts and choose one.`;
    faults.push({ pointer, code: 'posting_account_unusable', detail });
    return '';
  };
  const members: Record<string, unknown> = asked.mode === undefined ? {} : { mode: asked.mode };
  for (const [member, use, name] of single) {
    const given = asked[name];
    if (given !== undefined) members[member] = given === null ? null : idOf(given, use, `/${name}`);
  }
  if (asked.clearingAccounts !== undefined) {
    const clearing = new Map<string, string>();
    for (const [index, { handler, account }] of asked.clearingAccounts.entries()) {
      if (clearing.has(handler))
        faults.push({
          pointer: `/clearingAccounts/${index}/handler`,
          code: 'posting_account_unusable',
          detail: `${handler} is given twice: give each handler once.`,
        });
      clearing.set(handler, idOf(account, 'clearing', `/clearingAccounts/${index}/account`));
    }
    members['clearing'] = Object.fromEntries(clearing);
  }
  const [first] = faults;
  if (first !== undefined)
    throw bookkeepingFail('posting_account_unusable', `${first.pointer}: ${first.detail}`, { errors: faults });
  return members;
}
