import { beforeAllIds, page, type Page, type PageRequest, sql, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import { presentParty, type Party } from './party.ts';

export interface PartyFilter {
  /** Part of the name, in any case. */
  readonly name?: string | undefined;
  readonly role?: 'customer' | 'supplier' | undefined;
  /** Archived ones too. */
  readonly archived?: boolean | undefined;
}

/** In the order they were added. */
export async function listParties(
  context: TenantContext,
  filter: PartyFilter,
  { limit, cursor }: PageRequest,
): Promise<Page<Party>> {
  const role = filter.role ?? null;
  const rows = await context.require(readBooks).read(sql`
    select party_id, name, email, customer, supplier, currency, terms_days, tax_id_last4, archived_at,
    case when erased_at is null then contact_id end as contact_id
    from accounting.party
    where tenant_id = ${context.tenant}::uuid and party_id > ${cursor ?? beforeAllIds}::uuid
      and (${filter.archived ?? false} or archived_at is null)
      and (${role}::text is null or (${role}::text = 'customer' and customer) or (${role}::text = 'supplier' and supplier))
      and (${filter.name ?? null}::text is null or position(lower(${filter.name ?? null}::text) in lower(name)) > 0)
    order by party_id limit ${limit + 1}::int`);
  return page(rows, limit, presentParty, ({ id }) => id);
}
