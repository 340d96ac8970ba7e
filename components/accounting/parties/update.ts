import { isDeepStrictEqual } from 'node:util';
import { asItWas, operation } from '@steward/access';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { contentOf } from '../contents.ts';
import { writes } from '../operations.ts';
import { heldContact, type HoldingContacts } from './contacts.ts';
import { checkParty, party as partyShape, partyIn, partyInput, postalOf, type Party } from './party.ts';

/**
 * Changes what is given; the rest stays. What is so already changes nothing. Documents that exist keep their terms and currency. It takes the port where a contact is named.
 * @throws Problem `invalid_request` (400), `not_found` (404)
 */
export const updateParty = operation(
  {
    ...writes,
    area: 'sales',
    name: 'service_update_party',
    input: partyInput.partial({ name: true }).extend({
      // What is left out stays as it is.
      currency: partyInput.shape.currency.meta({ description: 'Currency of its documents.' }),
      termsDays: partyInput.shape.termsDays.meta({ description: 'Days until its documents are due.' }),
      contactId: partyInput.shape.contactId.meta({
        description: 'Contact of the same person. The two are shown and erased together. null removes the link.',
      }),
      address: partyInput.shape.address
        .nullable()
        .meta({ description: 'Postal address, up to 10 lines. null removes it.' }),
      vatNumber: partyInput.shape.vatNumber.nullable().meta({ description: 'As printed. null removes it.' }),
      id: z.uuid().meta({ description: 'From service_list_parties.' }),
      archived: z.boolean().optional().meta({ description: 'true archives, false restores.' }),
    }),
    answer: partyShape.answer,
    errors: ['not_found'],
  },
  async (scope, { id, ...changes }, ports: HoldingContacts | undefined) =>
    scope.write(async (tx) => {
      const contactId = await heldContact(tx, changes.contactId, ports?.contacts);
      await tx.query(sql`
      select from accounting.party where tenant_id = ${tx.context.tenant}::uuid and party_id = ${id}::uuid for no key update`);
      const before = await partyIn(tx, id);
      const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
      const party: Party = { ...before, ...given };
      checkParty(party);
      const now = {
        ...party,
        ...postalOf(party),
        name: party.name.trim(),
        contactId: changes.contactId === undefined ? before.contactId : contactId,
      };
      if (isDeepStrictEqual(now, before)) return asItWas(before);
      // What is known of somebody again can be erased again.
      const known = (['name', 'email', 'taxIdLast4', 'address', 'vatNumber'] as const).some(
        (member) => now[member] !== null && now[member] !== before[member],
      );
      await tx.query(sql`
      update accounting.party set name = ${now.name}, email = ${party.email}, customer = ${party.customer},
        supplier = ${party.supplier}, currency = ${party.currency}, terms_days = ${party.termsDays}::int,
        tax_id_last4 = ${party.taxIdLast4}, address = ${now.address}, vat_number = ${now.vatNumber},
        contact_id = case when ${changes.contactId === undefined} then contact_id else ${contactId}::uuid end,
        erased_at = case when ${changes.contactId === undefined && !known} then erased_at end,
        archived_at = case when ${party.archived} then coalesce(archived_at, clock_timestamp()) end
      where tenant_id = ${tx.context.tenant}::uuid and party_id = ${id}::uuid`);
      tx.record(
        event('accounting.party.updated', {
          party_id: id,
          // Which ones, not what they hold: names and addresses are personal.
          fields: Object.keys(given).toSorted(),
          archived: party.archived,
          content_sha256: await contentOf(tx, 'party', id),
        }),
      );
      return partyIn(tx, id);
    }),
);
