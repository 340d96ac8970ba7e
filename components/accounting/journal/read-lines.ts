import type { Fixed } from '@steward/contract';
import { type FieldError, isId } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { booksFail } from '../errors.ts';
import { mostFaults } from '../lines.ts';
import { expectCurrency, positiveAmount } from '../money/read.ts';
import { amountText } from '../money/schema.ts';
import { isStorable } from '../text.ts';
import type { Line } from './pair.ts';

/** A line as callers write it: one of the two sides as a decimal string. A key of a caller's binds its members in this order. */
export const lineInput = z.strictObject({
  account: z.string().min(1).max(40).meta({ description: 'Code or id, from service_list_accounts.' }),
  debit: amountText.optional(),
  credit: amountText.optional(),
  memo: z.string().max(500).optional().meta({ description: 'Note on this line.' }),
});
export type LineInput = Fixed<z.output<typeof lineInput>>;

/**
 * Lines in minor units, their accounts found.
 * @throws Problem `invalid_request` (400) for the currency, `invalid_amount`, `account_unusable` (422) with a pointer for each line at fault
 */
export async function readLines(
  tx: TenantTransaction,
  inputs: readonly LineInput[],
  currency: string,
): Promise<Line[]> {
  expectCurrency(currency);
  const faults: FieldError[] = [];
  const side = (text: string | undefined, pointer: string): bigint | undefined => {
    if (text === undefined) return undefined;
    const minor = positiveAmount(text, currency, pointer);
    if (typeof minor === 'bigint') return minor;
    faults.push(minor);
    return undefined;
  };
  const read = inputs.map(({ account, debit, credit, memo }, index) => {
    if ((debit === undefined) === (credit === undefined))
      faults.push({
        pointer: `/lines/${index}`,
        code: 'invalid_value',
        detail: 'Give each line either a debit or a credit.',
      });
    return {
      account,
      debit: side(debit, `/lines/${index}/debit`),
      credit: side(credit, `/lines/${index}/credit`),
      memo,
    };
  });
  if (faults.length > 0)
    throw booksFail('invalid_amount', `${faults[0]?.pointer}: ${faults[0]?.detail}`, {
      errors: faults.slice(0, mostFaults),
    });
  const ids = await accountIds(
    tx,
    read.map(({ account }) => account),
  );
  const unknown = read.flatMap(({ account }, index) =>
    ids.has(account)
      ? []
      : [
          {
            pointer: `/lines/${index}/account`,
            code: 'unknown_account',
            detail: 'No account in use has this code or id: list the accounts.',
          },
        ],
  );
  if (unknown.length > 0)
    throw booksFail('account_unusable', `${unknown[0]?.pointer}: ${unknown[0]?.detail}`, {
      errors: unknown.slice(0, mostFaults),
    });
  return read.map(({ account, ...rest }) => ({ ...rest, accountId: ids.get(account) ?? '' }));
}

/** Ids of accounts in use, by what they were called: their code or their id. */
export async function accountIds(tx: TenantTransaction, names: readonly string[]): Promise<Map<string, string>> {
  const wanted = [...new Set(names)].filter((name) => isStorable(name));
  // Each by its own index: many names are not compared with every account.
  const rows = await tx.query<{ name: string; account_id: string }>(sql`
    select n.name, a.account_id from unnest(${wanted}::text[]) as n (name)
    join accounting.account a on a.tenant_id = ${tx.context.tenant}::uuid and a.code = n.name
    where a.archived_at is null
    union all
    select n.name, a.account_id from unnest(${wanted.filter(isId)}::text[]) as n (name)
    join accounting.account a on a.tenant_id = ${tx.context.tenant}::uuid and a.account_id = n.name::uuid
    where a.archived_at is null`);
  return new Map(rows.map(({ name, account_id }) => [name, account_id]));
}
