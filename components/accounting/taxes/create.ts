import { fail, newId } from '@steward/kernel';
import { sql, type TenantContext, type TenantTransaction } from '@steward/sql';
import { event } from '../events.ts';
import { contentOf } from '../contents.ts';
import { booksFail } from '../errors.ts';
import { accountIds } from '../journal/read-lines.ts';
import { keepBooks } from '../permissions.ts';
import { controlAccounts } from '../subledger/control.ts';
import { formatPercentage, parsePercentage } from './percentage.ts';
import { isStorable } from '../text.ts';
import type { Tax } from './tax.ts';

export interface TaxInput {
  readonly name: string;
  /** A decimal string from 0 to 100, up to four digits behind the point. */
  readonly percentage: string;
  /** Code or id; the account that holds tax payable where none is given. */
  readonly salesAccount?: string | undefined;
  /** Code or id; tax recoverable where the books have it, else tax on purchases is part of what was bought. */
  readonly purchaseAccount?: string | undefined;
}

/**
 * Adds a tax rate. Its percentage stays: a new percentage is a new tax, and the old one is archived.
 * @throws Problem `invalid_percentage`, `account_unusable` (422), `name_taken` (409)
 */
export async function createTax(context: TenantContext, input: TaxInput): Promise<Tax> {
  const percentage = parsePercentage(input.percentage);
  if (percentage === undefined)
    throw booksFail('invalid_percentage', 'A decimal from 0 to 100 with up to four digits behind the point.');
  const name = input.name.trim();
  if (name === '' || !isStorable(name, 100)) throw fail('invalid_request', 'A name has 1 to 100 characters.');
  return context.require(keepBooks).write(async (tx) => {
    const { tax_payable, tax_recoverable } = await controlAccounts(tx);
    const named = await accountsNamed(tx, [input.salesAccount, input.purchaseAccount]);
    const tax: Tax = {
      id: newId(),
      name,
      percentage: formatPercentage(percentage),
      salesAccountId: named[0] ?? tax_payable ?? '',
      purchaseAccountId: named[1] ?? tax_recoverable ?? null,
      archived: false,
    };
    if (tax.salesAccountId === '') throw booksFail('account_unusable', 'The books have no account for tax payable.');
    const made = await tx.query(sql`
      insert into accounting.tax (tenant_id, tax_id, name, percentage, sales_account_id, purchase_account_id)
      values (${context.tenant}::uuid, ${tax.id}::uuid, ${name}, ${tax.percentage}::numeric, ${tax.salesAccountId}::uuid,
        ${tax.purchaseAccountId}::uuid)
      on conflict do nothing returning tax_id`);
    if (made.length === 0)
      throw booksFail('name_taken', 'Another tax in use has this name: archive it, or choose another name.');
    tx.record(
      event('accounting.tax.created', {
        tax_id: tax.id,
        percentage: tax.percentage,
        content_sha256: await contentOf(tx, 'tax', tax.id),
      }),
    );
    return tax;
  });
}

async function accountsNamed(
  tx: TenantTransaction,
  names: readonly (string | undefined)[],
): Promise<(string | undefined)[]> {
  const wanted = names.filter((name) => name !== undefined);
  const ids = await accountIds(tx, wanted);
  const { receivable, payable } = await controlAccounts(tx);
  return names.map((name) => {
    if (name === undefined) return undefined;
    const id = ids.get(name);
    if (id === undefined || id === receivable || id === payable)
      throw booksFail('account_unusable', `${name} is no account in use that tax can be posted to.`);
    return id;
  });
}
