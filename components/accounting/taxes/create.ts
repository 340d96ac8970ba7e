import { operation } from '@steward/access';
import { newId } from '@steward/kernel';
import { statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { contentOf } from '../contents.ts';
import { booksFail, invalidAt, refuseAt } from '../errors.ts';
import { accountIds } from '../journal/read-lines.ts';
import { writes } from '../operations.ts';
import { controlAccounts } from '../subledger/control.ts';
import { formatPercentage, parsePercentage } from './percentage.ts';
import { isStorable } from '../text.ts';
import { tax } from './tax.ts';

const account = z.string().min(1).max(40).optional();

/**
 * Adds a tax rate. Its percentage stays: a new percentage is a new tax, and the old one is archived.
 * @throws Problem `invalid_percentage`, `account_unusable` (422), `name_taken` (409)
 */
export const createTax = operation(
  {
    ...writes,
    area: 'sales',
    name: 'service_create_tax_rate',
    input: z.strictObject({
      name: z.string().trim().min(1).max(100).meta({ description: 'As documents show it, such as `VAT 19 %`.' }),
      percentage: z.string().max(8).meta({ description: 'From 0 to 100, up to four digits after the point.' }),
      salesAccount: account.meta({ description: 'Code or id. Default: the account for tax payable.' }),
      /** Where the books have none for tax recoverable, tax on purchases is part of what was bought. */
      purchaseAccount: account.meta({
        description: 'Code or id. Default: the account for tax recoverable, if the books have one.',
      }),
    }),
    answer: tax.answer,
    errors: { invalid_percentage: 'percentage', account_unusable: 'salesAccount', name_taken: 'name' },
  },
  async (scope, input) => {
    const percentage = parsePercentage(input.percentage);
    if (percentage === undefined)
      throw booksFail('invalid_percentage', 'Give a decimal from 0 to 100 with up to four digits after the point.');
    const name = input.name.trim();
    if (name === '' || !isStorable(name, 100)) throw invalidAt('/name', 'Give 1 to 100 characters.');
    return scope.write(async (tx) => {
      const { tax_payable, tax_recoverable } = await controlAccounts(tx);
      const [sales = tax_payable, purchases = tax_recoverable] = await accountsNamed(tx, [
        input.salesAccount,
        input.purchaseAccount,
      ]);
      if (sales === undefined)
        throw booksFail('account_unusable', 'The books have no account for tax payable: give sales_account.');
      const [made] = await tx.query(
        statement(
          `insert into accounting.tax as t (tenant_id, tax_id, name, percentage, sales_account_id, purchase_account_id)
           values ($1::uuid, $2::uuid, $3, $4::numeric, $5::uuid, $6::uuid) on conflict do nothing returning ${tax.columns}`,
          [tx.context.tenant, newId(), name, formatPercentage(percentage), sales, purchases],
        ),
      );
      if (made === undefined)
        throw booksFail(
          'name_taken',
          'Another tax rate in use has this name: archive that one, or choose another name.',
        );
      const added = tax.read(made);
      tx.record(
        event('accounting.tax.created', {
          tax_id: added.id,
          percentage: added.percentage,
          content_sha256: await contentOf(tx, 'tax', added.id),
        }),
      );
      return added;
    });
  },
);

/** @param names of the account for sales, and of that for purchases */
async function accountsNamed(
  tx: TenantTransaction,
  names: readonly (string | undefined)[],
): Promise<(string | undefined)[]> {
  const wanted = names.filter((name) => name !== undefined);
  const ids = await accountIds(tx, wanted);
  const { receivable, payable } = await controlAccounts(tx);
  return names.map((name, index) => {
    if (name === undefined) return undefined;
    const id = ids.get(name);
    if (id === undefined || id === receivable || id === payable)
      throw refuseAt(
        index === 0 ? '/salesAccount' : '/purchaseAccount',
        'account_unusable',
        `${name} is no account in use that tax can be posted to: choose another account.`,
      );
    return id;
  });
}
