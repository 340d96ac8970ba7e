import { operation } from '@steward/access';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { type Contacts, partyContact, personOf } from './contacts.ts';
import { party, partyById, unknownParty } from './party.ts';

const get = {
  ...reads,
  area: 'sales',
  name: 'service_get_party',
  input: z.strictObject({ id: z.uuid().meta({ description: 'From service_list_parties.' }) }),
  errors: ['not_found'],
} as const;

/** @throws Problem `not_found` (404), for another tenant's party too */
export const getParty = operation({ ...get, answer: party.answer }, async (scope, { id }) => {
  const [row] = await scope.read(partyById(scope.context.tenant, id));
  if (row === undefined) throw unknownParty();
  return party.read(row);
});

/** With the contact of the same person, and where none is linked one of the same address. */
export const getPerson = operation(
  {
    ...get,
    answer: z.object({
      party: party.answer,
      contact: partyContact.nullable(),
      suggestedContact: partyContact.nullable(),
    }),
  },
  async ({ context }, input, { contacts }: { readonly contacts: Contacts }) => {
    const found = await getParty(context, input);
    const { contact, suggested } = await personOf(context, found, contacts);
    return { party: found, contact, suggestedContact: suggested };
  },
);
