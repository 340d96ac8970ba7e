import { statement, type TenantTransaction } from '@steward/sql';
import { account } from './account.ts';
import type { AccountFor } from './for.ts';

/**
 * The accounts that a bank keeps, by code: those with lines of its statements; in a currency where none has any, the bank account of the chart. Accounts of
 * providers of payments are none, though they have statements too.
 */
export async function bankAccountsOf(tx: Pick<TenantTransaction, 'context' | 'query'>): Promise<AccountFor[]> {
  const rows = await tx.query(
    statement(
      `select ${account.columns}, lined from (
         select a.*, exists (select from accounting.bank_line l
             where l.tenant_id = a.tenant_id and l.account_id = a.account_id and l.withdrawn_at is null) as lined
         from accounting.account a
         where a.tenant_id = $1::uuid and a.archived_at is null and a.type = 'asset' and (a.control is null or a.control = 'bank')
           and not exists (select from accounting.feed f
             where f.tenant_id = a.tenant_id and f.account_id = a.account_id and f.kind = 'clearing')) a
       where a.lined or a.control = 'bank' order by a.code`,
      [tx.context.tenant],
    ),
  );
  const found = rows.map((row) => ({ ...account.read(row), lined: row['lined'] === true }));
  const lined = new Set(found.flatMap((one) => (one.lined ? one.currency : [])));
  return found.flatMap(({ lined: own, ...one }) => (own || !lined.has(one.currency) ? one : []));
}
