import type { Batch, GraphBuilder, GraphModule } from '@steward/graphql';
import { doing } from '@steward/graphql/field';
import { fail } from '@steward/kernel';
import { idArgument, pageArguments, textArgument } from '../graph-arguments.ts';
import { pageType } from '../page-type.ts';
import { w9ByParty } from '../taxforms/batch.ts';
import { w9Type } from '../taxforms/graph.ts';
import type { Contacts, PartyContact } from './contacts.ts';
import { createParty } from './create.ts';
import { getParty } from './get.ts';
import { listParties } from './list.ts';
import type { Party } from './party.ts';
import { updateParty } from './update.ts';

const made = new WeakMap<GraphBuilder, ReturnType<typeof make>>();

const make = (builder: GraphBuilder) =>
  builder.objectRef<Party>('Party').implement({
    description: 'A customer, a supplier, or both.',
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      email: t.exposeString('email', { nullable: true }),
      customer: t.exposeBoolean('customer'),
      supplier: t.exposeBoolean('supplier'),
      currency: t.exposeString('currency'),
      termsDays: t.exposeInt('termsDays'),
      taxIdLast4: t.exposeString('taxIdLast4', { nullable: true }),
      archived: t.exposeBoolean('archived'),
      contactId: t.exposeID('contactId', { nullable: true }),
      w9: t.field({
        type: w9Type(builder).type,
        nullable: true,
        description: 'For those who keep the books.',
        extensions: doing('service_get_1099_summary'),
        resolve: async ({ id }, _args, context) => context.load(w9ByParty, id),
      }),
    }),
  });

/** The one `Party` of a schema, whichever module asks for it first. */
export function partyType(builder: GraphBuilder) {
  const known = made.get(builder) ?? make(builder);
  made.set(builder, known);
  return known;
}

/** Customers and suppliers in the GraphQL API. */
export const partyGraph = (contacts: Contacts): GraphModule => {
  const contactsById: Batch<string, PartyContact> = async (ids, { tenant }) => contacts.byId(tenant, ids);
  return (builder) => {
    const party = partyType(builder);
    const contact = builder.objectRef<PartyContact>('PartyContact').implement({
      description: 'The contact of the same person.',
      fields: (t) => ({
        id: t.exposeID('id'),
        name: t.exposeString('name', { nullable: true }),
        email: t.exposeString('email', { nullable: true }),
      }),
    });
    builder.objectField(party, 'contact', (t) =>
      t.field({
        type: contact,
        nullable: true,
        extensions: doing('service_get_contact'),
        resolve: async ({ contactId }, _args, context) =>
          contactId === null ? null : ((await context.load(contactsById, contactId)) ?? null),
      }),
    );
    const page = pageType(builder, 'PartyPage', party);
    builder.queryFields((t) => ({
      party: t.field({
        extensions: doing('service_get_party'),
        type: party,
        args: { id: t.arg.id({ required: true }) },
        resolve: async (_root, { id }, { tenant }) => getParty(tenant, idArgument(id)),
      }),
      parties: t.field({
        extensions: doing('service_list_parties'),
        type: page,
        description: 'Customers and suppliers in the order they were added.',
        args: {
          name: t.arg.string({ description: 'Part of the name, in any case.' }),
          role: t.arg.string({ description: 'customer or supplier.' }),
          archived: t.arg.boolean({ defaultValue: false, description: 'Archived ones too.' }),
          limit: t.arg.int({ defaultValue: 50 }),
          cursor: t.arg.string(),
        },
        resolve: async (_root, { name, role, archived, limit, cursor }, { tenant }) => {
          if (role !== null && role !== undefined && role !== 'customer' && role !== 'supplier')
            throw fail('invalid_request', 'role is customer or supplier.');
          return listParties(
            tenant,
            { name: textArgument(name), role: role ?? undefined, archived: archived ?? false },
            pageArguments({ limit, cursor }, 'id'),
          );
        },
      }),
    }));
    const input = builder.inputType('PartyInput', {
      fields: (t) => ({
        name: t.string({ required: true }),
        email: t.string(),
        customer: t.boolean(),
        supplier: t.boolean(),
        currency: t.string({ description: 'Of its documents; the base currency where none is given.' }),
        termsDays: t.int({ description: 'Days until what it is sent is due; 30 where none is given.' }),
        taxIdLast4: t.string({ description: 'The last four characters, never more.' }),
        contactId: t.id({ description: 'The contact of the same person.' }),
      }),
    });
    const changes = builder.inputType('PartyChanges', {
      description: 'What is given is changed; an e-mail address or tax id of null is removed.',
      fields: (t) => ({
        name: t.string(),
        email: t.string(),
        customer: t.boolean(),
        supplier: t.boolean(),
        currency: t.string(),
        termsDays: t.int(),
        taxIdLast4: t.string(),
        archived: t.boolean(),
        contactId: t.id({ description: 'The contact of the same person; null takes the link away.' }),
      }),
    });
    builder.mutationFields((t) => ({
      createParty: t.field({
        type: party,
        extensions: doing('service_create_party'),
        args: { input: t.arg({ type: input, required: true }) },
        resolve: async (_root, { input: { name, contactId, ...rest } }, { tenant }) =>
          createParty(
            tenant,
            {
              name,
              ...withoutNulls(rest),
              contactId: contactId === null || contactId === undefined ? null : idArgument(contactId),
            },
            contacts,
          ),
      }),
      updateParty: t.field({
        type: party,
        extensions: doing('service_update_party'),
        args: { id: t.arg.id({ required: true }), changes: t.arg({ type: changes, required: true }) },
        resolve: async (_root, { id, changes: { email, taxIdLast4, contactId, ...rest } }, { tenant }) =>
          updateParty(
            tenant,
            idArgument(id),
            {
              ...withoutNulls(rest),
              email,
              taxIdLast4,
              contactId: contactId === null || contactId === undefined ? contactId : idArgument(contactId),
            },
            contacts,
          ),
      }),
    }));
  };
};

type WithoutNulls<T> = { [K in keyof T]: Exclude<T[K], null> };

/** Null says nothing where there is nothing to be removed. */
const withoutNulls = <T extends object>(given: T): WithoutNulls<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as WithoutNulls<T>;
