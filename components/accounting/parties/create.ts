import { operation } from '@steward/access';
import { newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { contentOf } from '../contents.ts';
import { writes } from '../operations.ts';
import { heldContact, type HoldingContacts } from './contacts.ts';
import { checkParty, party as partyShape, partyIn, partyInput, postalOf } from './party.ts';
import { similarParty, similarTo } from './similar.ts';

/**
 * Adds a customer or supplier; a customer if the call names neither. `similar` lists parties that may be the same; none prevents it. It uses the port if the call names a contact.
 * @throws Problem `invalid_request` (400), `not_found` (404) for a contact
 */
export const createParty = operation(
  {
    ...writes,
    area: 'sales',
    name: 'service_create_party',
    input: partyInput,
    answer: partyShape.answer.extend({ similar: z.array(similarParty) }),
    errors: ['not_found'],
  },
  async (scope, input, ports: HoldingContacts | undefined) =>
    scope.write(async (tx) => {
      const contactId = await heldContact(tx, input.contactId, ports?.contacts);
      const [book] = await tx.query<{ base_currency: string }>(sql`select base_currency from accounting.book`);
      const party = {
        name: input.name.trim(),
        email: input.email ?? null,
        customer: input.customer ?? input.supplier !== true,
        supplier: input.supplier ?? false,
        currency: input.currency ?? book?.base_currency ?? '',
        termsDays: input.termsDays ?? 30,
        taxIdLast4: input.taxIdLast4 ?? null,
        ...postalOf({ address: input.address ?? null, vatNumber: input.vatNumber ?? null }),
      };
      checkParty(party);
      const similar = await similarTo(tx, party);
      const id = newId();
      await tx.query(sql`
      insert into accounting.party (tenant_id, party_id, name, email, customer, supplier, currency, terms_days, tax_id_last4,
        contact_id, address, vat_number)
      values (${tx.context.tenant}::uuid, ${id}::uuid, ${party.name}, ${party.email}, ${party.customer}, ${party.supplier},
        ${party.currency}, ${party.termsDays}::int, ${party.taxIdLast4}, ${contactId}::uuid, ${party.address}, ${party.vatNumber})`);
      tx.record(
        event('accounting.party.created', {
          party_id: id,
          customer: party.customer,
          supplier: party.supplier,
          currency: party.currency,
          content_sha256: await contentOf(tx, 'party', id),
        }),
      );
      return { ...(await partyIn(tx, id)), similar };
    }),
);
