import type { Grammar } from '@steward/audit';
import { z } from 'zod';

const id = z.uuid();
const fields = z.array(z.string());

/** Payloads of crm's own events, version 1. They carry ids and names of fields, and no personal data. */
const payloads = {
  'crm.contact.created': { contact_id: id },
  'crm.contact.updated': { contact_id: id, fields },
  'crm.contact.archived': { contact_id: id },
  'crm.contact.restored': { contact_id: id },
  'crm.contact.merged': { contact_id: id, merged_id: id, fields },
  'crm.contact.erased': { contact_id: id, merged_ids: z.array(id), reason: z.string() },
  'crm.contact.identity_conflict': { contact_id: id, phone_of: id },
  'crm.schema.changed': { version: z.int(), fields },
} as const;

export const crmGrammar: Grammar = {
  name: 'crm',
  events: Object.entries(payloads).map(([types, shape]) => ({
    types,
    major: 1,
    schema: z.toJSONSchema(z.strictObject(shape)) as Record<string, unknown>,
  })),
};
