import { defineEvents, payload } from '@steward/kernel';
import { z } from 'zod';

const id = z.uuid();
const fields = z.array(z.string());

/** They carry ids and names of fields, and no personal data. */
export const { grammar, published, event, announcement } = defineEvents('crm', {
  recorded: {
    'crm.contact.created': payload({ contact_id: id }),
    'crm.contact.updated': payload({ contact_id: id, fields }),
    'crm.contact.consent_changed': payload({ contact_id: id, given: z.boolean(), content_sha256: z.string() }),
    'crm.contact.archived': payload({ contact_id: id }),
    'crm.contact.restored': payload({ contact_id: id }),
    'crm.contact.merged': payload({ contact_id: id, merged_id: id, fields }),
    'crm.contact.erased': payload({ contact_id: id, merged_ids: z.array(id), reason: z.string() }),
    'crm.contact.identity_conflict': payload({ contact_id: id, phone_of: id }),
    'crm.schema.changed': payload({ version: z.int(), fields }),
  },
  published: {
    'crm.contact.created': payload({ contactId: id, test: z.literal(true).optional() }),
    'crm.contact.updated': payload({ contactId: id, fields }),
    'crm.contact.archived': payload({ contactId: id }),
    'crm.contact.restored': payload({ contactId: id }),
    'crm.contact.merged': payload({ contactId: id, mergedId: id, fields }),
    'crm.contact.erased': payload({ contactId: id, mergedIds: z.array(id) }),
  },
});
