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

const members: Readonly<Record<Exclude<keyof Party, 'id' | 'archived'>, string>> = {
  name: 'the name',
  email: 'the e-mail address',
  customer: 'whether it is a customer',
  supplier: 'whether it is a supplier',
  currency: 'the currency',
  termsDays: 'the days until payment',
  taxIdLast4: 'the taxpayer id',
  contactId: 'the linked contact',
  address: 'the address',
  vatNumber: 'the VAT number',
};

/** What is given, not what it holds: summaries are in the audit log, and what it holds is personal. */
function changing(given: Partial<Record<keyof typeof members, unknown>>, archived: boolean | undefined): string {
  const named = Object.entries(members).flatMap(([member, words]) =>
    given[member as keyof typeof members] === undefined ? [] : [words],
  );
  const acts = [
    ...(archived === undefined ? [] : [archived ? 'archive' : 'restore']),
    ...(named.length === 0 ? [] : [`set ${new Intl.ListFormat('en').format(named)} of`]),
  ];
  return acts.length === 0 ? 'change' : acts.join(', and ');
}

export const partyTools: readonly Tool<PartyPorts>[] = [
  toolOf(createParty, {
    ...writes,
    core: true,
    title: 'Add a customer or supplier',
    description:
      'Adds a customer (default), a supplier, or both. Warns of one with the same name, e-mail address or taxpayer id.',
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
    say: (changed, preview, { archived, ...given }) =>
      preview ? `Would ${changing(given, archived)} ${changed.name}.` : called(changed),
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
    description: 'Lists customers and suppliers in the order they were added.',
    answers: { items: 'parties' },
    say: ({ items, nextCursor }) =>
      `${counted(items.length, 'customer or supplier', 'customers and suppliers')}.${nextCursor === null ? '' : ' There are more.'}`,
  }),
];
