import type { Of } from '@steward/contract';
import { statement, type TenantTransaction } from '@steward/sql';
import { account } from './account.ts';

export type AccountFor = Of<typeof account>;

/**
 * Accounts in use, for whoever posts to accounts by what they are for: those of these codes or ids, and those that the platform
 * posts to as one of `controls`. What is not there is left out.
 */
export async function accountsFor(
  tx: Pick<TenantTransaction, 'context' | 'query'>,
  { names, controls }: { readonly names: readonly string[]; readonly controls: readonly string[] },
): Promise<AccountFor[]> {
  const rows = await tx.query(
    statement(
      `select ${account.columns} from accounting.account a where a.tenant_id = $1::uuid and a.archived_at is null
         and (a.code = any ($2::text[]) or a.account_id::text = any ($3::text[]) or a.control = any ($4::text[]))
       order by a.code`,
      [tx.context.tenant, names, names.map((name) => name.toLowerCase()), controls],
    ),
  );
  return rows.map(account.read);
}
