import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import { contentOf } from '../contents.ts';
import { keepBooks } from '../permissions.ts';
import { heldContact, type Contacts } from './contacts.ts';
import { checkParty, partyIn, type Party, type PartyInput } from './party.ts';

/**
 * Adds a customer or supplier; a customer where neither is said.
 * @param contacts where a contact is named
 * @throws Problem `invalid_request` (400), `not_found` (404) for a contact
 */
export async function createParty(
  context: TenantContext,
  input: PartyInput,
  contacts?: Pick<Contacts, 'hold'>,
): Promise<Party> {
  return context.require(keepBooks).write(async (tx) => {
    const contactId = await heldContact(tx, input.contactId, contacts);
    const [book] = await tx.query<{ base_currency: string }>(sql`select base_currency from accounting.book`);
    const party = {
      name: input.name.trim(),
      email: input.email ?? null,
      customer: input.customer ?? input.supplier !== true,
      supplier: input.supplier ?? false,
      currency: input.currency ?? book?.base_currency ?? '',
      termsDays: input.termsDays ?? 30,
      taxIdLast4: input.taxIdLast4 ?? null,
    };
    checkParty(party);
    const id = newId();
    await tx.query(sql`
      insert into accounting.party (tenant_id, party_id, name, email, customer, supplier, currency, terms_days, tax_id_last4,
        contact_id)
      values (${context.tenant}::uuid, ${id}::uuid, ${party.name}, ${party.email}, ${party.customer}, ${party.supplier},
        ${party.currency}, ${party.termsDays}::int, ${party.taxIdLast4}, ${contactId}::uuid)`);
    tx.record(
      event('accounting.party.created', {
        party_id: id,
        customer: party.customer,
        supplier: party.supplier,
        currency: party.currency,
        content_sha256: await contentOf(tx, 'party', id),
      }),
    );
    return partyIn(tx, id);
  });
}
