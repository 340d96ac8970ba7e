import { counted } from '@steward/kernel';
import { toolOf, type Tool, under } from '@steward/tools';
import type { Contacts } from './contacts.ts';
import { createParty } from './create.ts';
import { getPerson } from './get.ts';
import { listParties } from './list.ts';
import { party, type Party } from './party.ts';
import { similarInWords } from './similar.ts';
import { updateParty } from './update.ts';

export interface PartyPorts {
  readonly contacts: Contacts;
}

const writes = { annotations: { destructiveHint: false }, shows: under('party', party.answer) } as const;

const called = ({ name, customer, supplier, archived }: Party): string => {
  const roles = [customer ? 'customer' : '', supplier ? 'supplier' : ''].filter((role) => role !== '').join(' and ');
  return `${name} is a ${roles}${archived ? ', archived' : ''}.`;
};

export const partyTools: readonly Tool<PartyPorts>[] = [
  toolOf(createParty, {
    ...writes,
    core: true,
    title: 'Add a customer or supplier',
    description:
      'Adds a customer, a supplier, or a party that is both. Default: a customer. Warns if one with the same name, e-mail ' +
      'address or taxpayer id is there already.',
    shows: { schema: writes.shows.schema, of: ({ similar: _similar, ...made }) => ({ party: made }) },
    warn: ({ similar }) => similarInWords(similar),
    say: (added, preview) => (preview ? `Would add ${added.name}.` : called(added)),
  }),
  toolOf(updateParty, {
    ...writes,
    core: false,
    title: 'Change a customer or supplier',
    description:
      'Changes the given members of a customer or supplier, or archives or restores it. An archived one takes no new ' +
      'documents or payments.',
    takes: { id: 'partyId' },
    say: (changed, preview) => (preview ? `Would change ${changed.name}.` : called(changed)),
  }),
  toolOf(getPerson, {
    core: false,
    title: 'Get a customer or supplier',
    description:
      'Reads one customer or supplier and its linked contact. If none is linked, suggested_contact is a contact with the ' +
      'same e-mail address; service_update_party links it.',
    takes: { id: 'partyId' },
    say: ({ party: found }) => called(found),
  }),
  toolOf(listParties, {
    core: true,
    title: 'List customers and suppliers',
    description: 'Lists customers and suppliers in the order they were added. Filter by part of the name, or by role.',
    answers: { items: 'parties' },
    say: ({ items, nextCursor }) =>
      `${counted(items.length, 'customer or supplier', 'customers and suppliers')}.${nextCursor === null ? '' : ' There are more.'}`,
  }),
];
