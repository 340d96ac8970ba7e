import type { Fixed } from '@steward/contract';
import { sql, type Row, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import type { Party } from './party.ts';

/** A customer or supplier that may be the one that is added, and by what, in words. */
export const similarParty = z.object({
  id: z.uuid(),
  name: z.string(),
  archived: z.boolean(),
  by: z.array(z.string()),
});
type SimilarParty = Fixed<z.output<typeof similarParty>>;

/** Customers and suppliers with a name that reads alike, or the same e-mail address or end of the taxpayer id, the first ones first, three at most. */
export async function similarTo(
  tx: TenantTransaction,
  { name, email, taxIdLast4 }: Pick<Party, 'name' | 'email' | 'taxIdLast4'>,
): Promise<SimilarParty[]> {
  const { tenant } = tx.context;
  return tx.query<SimilarParty & Row>(sql`
    select party_id as id, name, archived_at is not null as archived, array_remove(array[
        case when name_key = lower(${name}) then 'name' when read_as = accounting.read_as(${name}) and read_as <> '' then 'name but for how it is written' end,
        case when email_key = lower(${email}) then 'e-mail address' end,
        case when tax_id_last4 = ${taxIdLast4} then 'last four characters of the taxpayer id' end], null) as by
    from accounting.party
    where tenant_id = ${tenant}::uuid and erased_at is null
      and (name_key = lower(${name}) or (read_as = accounting.read_as(${name}) and read_as <> '') or email_key = lower(${email}) or tax_id_last4 = ${taxIdLast4})
    order by party_id limit 3`);
}

/** A hint for the caller that added one. */
export function similarInWords(similar: readonly SimilarParty[]): string | undefined {
  if (similar.length === 0) return undefined;
  const each = similar.map(
    ({ id, name, archived, by }) => `${name} (${id}${archived ? ', archived' : ''}) has the same ${by.join(' and ')}`,
  );
  return `${each.join('; ')}. If it is the same, use that one and archive this one with service_update_party.`;
}
