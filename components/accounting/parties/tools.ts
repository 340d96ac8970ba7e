import { pageLimit } from '@steward/contract';
import { keepBooks, readBooks } from '../permissions.ts';
import { tool, type Tool } from '@steward/tools';
import { z } from 'zod';
import { currencyCode } from '../money/schema.ts';
import { createParty } from './create.ts';
import { getParty } from './get.ts';
import { listParties } from './list.ts';
import { personOf, type Contacts } from './contacts.ts';
import type { Party } from './party.ts';
import { updateParty } from './update.ts';

const ground = { pillar: 'accounting', area: 'sales', surfaces: ['public', 'internal'], personas: [] } as const;
const read = {
  ...ground,
  kind: 'query',
  tier: 'read',
  annotations: { idempotentHint: true },
  requires: readBooks,
} as const;
const writes = {
  ...ground,
  kind: 'command',
  tier: 'write',
  annotations: { destructiveHint: false },
  requires: keepBooks,
} as const;

const party = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  customer: z.boolean(),
  supplier: z.boolean(),
  currency: z.string(),
  terms_days: z.int(),
  tax_id_last4: z.string().nullable(),
  archived: z.boolean(),
  contact_id: z.string().nullable(),
});
const contact = z.object({ id: z.string(), name: z.string().nullable(), email: z.string().nullable() });
const snake = ({ termsDays, taxIdLast4, contactId, ...rest }: Party): z.infer<typeof party> => ({
  ...rest,
  contact_id: contactId,
  terms_days: termsDays,
  tax_id_last4: taxIdLast4,
});
const fields = {
  name: z.string().trim().min(1).max(200),
  email: z.email().max(254).nullable().optional(),
  customer: z.boolean().optional(),
  supplier: z.boolean().optional(),
  currency: currencyCode.optional().meta({ description: 'Of its documents; the base currency where none is given.' }),
  terms_days: z
    .int()
    .min(0)
    .max(366)
    .optional()
    .meta({ description: 'Days until what it is sent is due; 30 where none is given.' }),
  tax_id_last4: z
    .string()
    .regex(/^[0-9A-Za-z]{4}$/)
    .nullable()
    .optional()
    .meta({ description: 'The last four characters of its taxpayer id, never more.' }),
  contact_id: z.uuid().nullable().optional().meta({
    description: 'The contact of the same person: they are shown and erased together. null takes the link away.',
  }),
};
const one = z.object({ party });
const answer = (found: Party, preview?: string) => ({
  summary: preview === undefined ? `${found.name}.` : `Would ${preview} ${found.name}.`,
  data: { party: snake(found) },
});

export interface PartyPorts {
  readonly contacts: Contacts;
}

export const partyTools: readonly Tool<PartyPorts>[] = [
  tool({
    ...writes,
    core: true,
    name: 'service_create_party',
    title: 'Add a customer or supplier',
    description: 'Adds a customer (where nothing is said), a supplier, or one that is both.',
    input: z.strictObject(fields),
    output: one,
    run: async (call, { terms_days, tax_id_last4, contact_id, ...rest }, { contacts }) =>
      answer(
        await createParty(
          call.context,
          { ...rest, termsDays: terms_days, taxIdLast4: tax_id_last4, contactId: contact_id },
          contacts,
        ),
        call.preview ? 'add' : undefined,
      ),
  }),
  tool({
    ...writes,
    core: false,
    name: 'service_update_party',
    title: 'Change a customer or supplier',
    description:
      'Changes what is given of a customer or supplier, or archives or restores it. Nothing new is made for an archived one.',
    input: z.strictObject({
      party_id: z.uuid(),
      ...fields,
      name: fields.name.optional(),
      archived: z.boolean().optional(),
    }),
    output: one,
    run: async (call, { party_id, terms_days, tax_id_last4, contact_id, ...rest }, { contacts }) =>
      answer(
        await updateParty(
          call.context,
          party_id,
          { ...rest, termsDays: terms_days, taxIdLast4: tax_id_last4, contactId: contact_id },
          contacts,
        ),
        call.preview ? 'change' : undefined,
      ),
  }),
  tool({
    ...read,
    core: false,
    name: 'service_get_party',
    title: 'Get a customer or supplier',
    description:
      'Reads one customer or supplier, with the contact that is the same person. Where none is linked, suggested_contact has the same e-mail ' +
      'address; service_update_party links it.',
    input: z.strictObject({ party_id: z.uuid() }),
    output: one.extend({ contact: contact.nullable(), suggested_contact: contact.nullable() }),
    run: async (call, { party_id }, { contacts }) => {
      const found = await getParty(call.context, party_id);
      const { summary, data } = answer(found);
      const { contact: linked, suggested } = await personOf(call.context, found, contacts);
      return { summary, data: { ...data, contact: linked, suggested_contact: suggested } };
    },
  }),
  tool({
    ...read,
    core: true,
    name: 'service_list_parties',
    title: 'List customers and suppliers',
    description: 'Lists customers and suppliers in the order they were added, by part of the name or role.',
    input: z.strictObject({
      name: z.string().min(1).max(200).optional().meta({ description: 'Part of the name, in any case.' }),
      role: z.enum(['customer', 'supplier']).optional(),
      archived: z.boolean().default(false).meta({ description: 'Archived ones too.' }),
      limit: pageLimit,
      cursor: z.uuid().optional(),
    }),
    output: z.object({ parties: z.array(party), next_cursor: z.string().nullable() }),
    run: async (call, { limit, cursor, ...filter }) => {
      const page = await listParties(call.context, filter, { limit, cursor });
      return {
        summary: `${page.items.length} customers and suppliers.${page.nextCursor === null ? '' : ' There are more.'}`,
        data: { parties: page.items.map(snake), next_cursor: page.nextCursor },
      };
    },
  }),
];
