import { sql, type TenantTransaction } from '@steward/sql';

/**
 * What an amount in minor units of a currency is worth in the base currency, by the latest rate that is stored for today or before.
 * @returns undefined where no rate is stored, where it is the base currency, or where there are no books
 */
export async function worth(
  tx: TenantTransaction,
  { currency, minor }: { readonly currency: string; readonly minor: bigint },
): Promise<{ currency: string; minor: bigint } | undefined> {
  const [row] = await tx.query<{ currency: string; minor: string }>(sql`
    select b.base_currency as currency, round(${String(minor)}::numeric * r.rate
      * ('1e' || accounting.minor_digits(b.base_currency) - accounting.minor_digits(r.currency))::numeric)::text as minor
    from accounting.book b join accounting.rate r on r.tenant_id = b.tenant_id
    where b.tenant_id = ${tx.context.tenant}::uuid and r.currency = ${currency} and r.day <= current_date
    order by r.day desc limit 1`);
  return row === undefined ? undefined : { currency: row.currency, minor: BigInt(row.minor) };
}
