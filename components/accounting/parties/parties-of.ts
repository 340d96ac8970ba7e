import { sql, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';

/** A customer or supplier, as far as it is shown with the contact of the same person. */
export interface ContactParty {
  readonly id: string;
  readonly name: string;
  readonly customer: boolean;
  readonly supplier: boolean;
}

export interface ContactParties {
  readonly linked: readonly ContactParty[];
  /** Of the same e-mail address, and linked with nobody. */
  readonly suggested: readonly ContactParty[];
}

/** Parties of each kind at most. */
const most = 20;

/** The customers and suppliers that are the person of these contacts, and those that may be by their address. Up to 20 each. */
export async function partiesOf(
  context: TenantContext,
  contactIds: readonly string[],
  emails: readonly string[],
): Promise<ContactParties> {
  const { tenant } = context;
  const keys = emails.map((email) => email.toLowerCase());
  const [linked = [], suggested = []] = await context.require(readBooks).readAll([
    sql`
      select party_id as id, name, customer, supplier from accounting.party
      where tenant_id = ${tenant}::uuid and contact_id = any (${contactIds}::uuid[]) and erased_at is null
      order by party_id limit ${most}::int`,
    sql`
      select party_id as id, name, customer, supplier from accounting.party
      where tenant_id = ${tenant}::uuid and email_key = any (${keys}::text[]) and contact_id is null and archived_at is null
      order by party_id limit ${most}::int`,
  ]);
  return { linked: linked as unknown as ContactParty[], suggested: suggested as unknown as ContactParty[] };
}
