import type { Batch } from '@steward/graphql';
import { sql } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import { presentParty, type Party } from './party.ts';

/** Parties by id, many at once. */
export const partiesById: Batch<string, Party> = async (ids, { tenant }) => {
  const rows = await tenant.require(readBooks).read(sql`
    select party_id, name, email, customer, supplier, currency, terms_days, tax_id_last4, archived_at,
    case when erased_at is null then contact_id end as contact_id
    from accounting.party where tenant_id = ${tenant.tenant}::uuid and party_id = any (${ids}::uuid[])`);
  return new Map(rows.map(presentParty).map((party) => [party.id, party]));
};
