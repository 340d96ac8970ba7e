import type { Batch, GraphBuilder, GraphContext, GraphModule } from '@steward/graphql';
import { doing, inputOf, objectOf, taking } from '@steward/graphql/field';
import { z } from 'zod';
import { pageType } from '../page-type.ts';
import { w9ByParty } from '../taxforms/batch.ts';
import { w9Type } from '../taxforms/graph.ts';
import { partiesById } from './batch.ts';
import { type Contacts, type PartyContact, partyContact } from './contacts.ts';
import { createParty } from './create.ts';
import { getParty } from './get.ts';
import { listParties } from './list.ts';
import { party, partyInput } from './party.ts';
import { updateParty } from './update.ts';

/** The one `Party` of a schema, whichever module asks for it first. */
export const partyType = (builder: GraphBuilder) =>
  objectOf(builder, 'Party', party.answer, {
    description: 'A customer, a supplier, or both.',
    fields: (t) => ({
      w9: t.field({
        type: w9Type(builder),
        nullable: true,
        description: 'Only for members who keep the books.',
        extensions: doing('service_get_1099_summary'),
        resolve: async ({ id }, _args, context) => context.load(w9ByParty, id),
      }),
    }),
  });

/** The field of what is with a party; read at once for many. */
export const ofParty = (builder: GraphBuilder) => ({
  type: partyType(builder),
  nullable: true as const,
  extensions: doing('service_get_party'),
  resolve: async ({ partyId }: { readonly partyId: string }, _args: object, context: GraphContext) =>
    context.load(partiesById, partyId),
});

/** Customers and suppliers in the GraphQL API. */
export const partyGraph = (contacts: Contacts): GraphModule => {
  const contactsById: Batch<string, PartyContact> = async (ids, { tenant }) => contacts.byId(tenant, ids);
  return (builder) => {
    const type = partyType(builder);
    const contact = objectOf(builder, 'PartyContact', partyContact, { description: 'The contact of the same person.' });
    builder.objectField(type, 'contact', (t) =>
      t.field({
        type: contact,
        nullable: true,
        extensions: doing('service_get_contact'),
        resolve: async ({ contactId }, _args, context) =>
          contactId === null ? null : ((await context.load(contactsById, contactId)) ?? null),
      }),
    );
    const page = pageType(builder, 'PartyPage', type);
    builder.queryFields((t) => ({
      party: t.field({
        extensions: doing('service_get_party'),
        type,
        ...taking(builder, getParty.input, async (args, { tenant }) => getParty(tenant, args)),
      }),
      parties: t.field({
        extensions: doing('service_list_parties'),
        type: page,
        description: 'Customers and suppliers in the order they were added.',
        ...taking(builder, listParties.input, async (args, { tenant }) => listParties(tenant, args), {
          members: {
            name: 'Part of the name, upper or lower case.',
            role: { type: 'String', description: 'customer or supplier.' },
            archived: 'true: archived ones too.',
            cursor: { type: 'String' },
          },
        }),
      }),
    }));
    inputOf(builder, 'PartyInput', partyInput, {
      members: {
        currency: 'Currency of its documents. Default: the base currency.',
        termsDays: 'Days until its documents are due. Default: 30.',
        taxIdLast4: 'Only the last four characters.',
        contactId: 'The contact of the same person.',
      },
    });
    inputOf(builder, 'PartyChanges', partyChanges, {
      description: 'Changes the members that are given; null removes an e-mail address or tax id.',
      members: { contactId: 'The contact of the same person; null removes the link.' },
    });
    builder.mutationFields((t) => ({
      createParty: t.field({
        type,
        extensions: doing('service_create_party'),
        ...taking(builder, z.strictObject({ input: partyInput }), async ({ input }, { tenant }) =>
          createParty(tenant, input, { contacts }),
        ),
      }),
      updateParty: t.field({
        type,
        extensions: doing('service_update_party'),
        ...taking(
          builder,
          z.strictObject({ id: updateParty.input.shape.id, changes: partyChanges }),
          async ({ id, changes }, { tenant }) => updateParty(tenant, { ...changes, id }, { contacts }),
        ),
      }),
    }));
  };
};

const partyChanges = updateParty.input.omit({ id: true });
