import { statement, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';

/** What somebody may have paid. */
export interface Owed {
  /** Minor units. */
  readonly amount: bigint;
  readonly currency: string;
  /** What the payer may have written: numbers of the order and of its invoice. */
  readonly numbers: readonly string[];
  /** ISO. */
  readonly since: string;
}

/** Whether a bank line that came in since, and that nobody has explained whole, may pay for something: by its amount, or by what it says. */
export async function isUnexplained(
  context: TenantContext,
  { amount, currency, numbers, since }: Owed,
): Promise<boolean> {
  const rows = await context.require(readBooks).read(
    statement(
      `select from accounting.bank_line l join accounting.account a on a.tenant_id = l.tenant_id and a.account_id = l.account_id
       where l.tenant_id = $1::uuid and l.withdrawn_at is null and l.amount > 0 and l.day >= $5::date - 1
         and ((l.amount = $2::bigint and a.currency = $3) or exists (select from unnest($4::text[]) n
           where strpos(lower(concat_ws(' ', l.reference, l.description, l.counterparty)), lower(n)) > 0))
         and l.amount <> coalesce((select sum(m.amount) from accounting.bank_match m
           where m.tenant_id = l.tenant_id and m.line_id = l.line_id and m.undone_at is null), 0)
       limit 1`,
      [context.tenant, amount, currency, numbers, since],
    ),
  );
  return rows.length > 0;
}
