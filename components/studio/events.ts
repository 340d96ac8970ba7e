import { defineEvents, payload } from '@steward/kernel';
import { z } from 'zod';

const id = z.uuid();
const mode = z.enum(['live', 'test']);
const code = z.string().regex(/^[a-z0-9_]{1,40}$/);
const version = z.int().min(1);
/** What the row says; events of earlier versions have none. */
const content = { content_sha256: z.string().length(43).optional() };
const siteFields = z.enum(['name', 'brand', 'origins', 'status', 'default_country', 'requests_per_minute']);
const formFields = z.enum([
  'name',
  'fields',
  'validation_rules',
  'target_entity_type',
  'notification_emails',
  'default_country',
]);

/** They carry ids and digests: no label, address or origin that somebody typed. */
export const { grammar, published, event, announcement } = defineEvents('studio', {
  recorded: {
    'studio.site.created': payload({ site_id: id, brand_id: id, ...content }),
    'studio.site.updated': payload({ site_id: id, fields: z.array(siteFields), version, ...content }),
    'studio.site.disabled': payload({ site_id: id }),
    'studio.site.enabled': payload({ site_id: id }),
    'studio.sdk_key.issued': payload({ key_id: id, site_id: id, mode, ...content }),
    'studio.sdk_key.rotated': payload({
      key_id: id,
      new_key_id: id,
      site_id: id,
      old_key_ends_at: z.string(),
      ...content,
    }),
    'studio.sdk_key.revoked': payload({ key_id: id, site_id: id }),
    'studio.form.created': payload({ form_id: id, site_id: id, ...content }),
    'studio.form.updated': payload({ form_id: id, fields: z.array(formFields), revision: version, ...content }),
    'studio.form.published': payload({ form_id: id, version, previous_version: version.nullable(), ...content }),
    'studio.form.activated': payload({ form_id: id, version, previous_version: version.nullable() }),
    'studio.form.unpublished': payload({ form_id: id, version }),
    'studio.form.archived': payload({ form_id: id, version: version.nullable() }),
    'studio.form.restored': payload({ form_id: id }),
    /** By what named it: a form, or a brand for letters about its orders. */
    'studio.recipient.asked': payload({ recipient_id: id, form_id: id.optional(), brand_id: id.optional() }),
    'studio.recipient.confirmed': payload({ recipient_id: id }),
    'studio.recipient.unsubscribed': payload({ recipient_id: id }),
    'studio.recipient.resubscribed': payload({ recipient_id: id }),
    'studio.recipient.refused': payload({ recipient_id: id, reason: code, stopped: z.boolean() }),
    'studio.recipient.freed': payload({ recipient_id: id, form_id: id }),
  },
  published: {
    'studio.recipient.refused': payload({ recipientId: id, reason: code, stopped: z.boolean() }),
  },
});
