import type { Grammar } from '@steward/audit';
import { z } from 'zod';

const id = z.uuid();
const mode = z.enum(['live', 'test']);
const version = z.int().min(1);
const siteFields = z.enum(['name', 'brand', 'origins', 'status', 'default_country', 'requests_per_minute']);
const formFields = z.enum([
  'name',
  'fields',
  'validation_rules',
  'target_entity_type',
  'notification_emails',
  'default_country',
]);

/** Payloads of the studio's own events, version 1. They carry ids: no label, address or origin that somebody typed. */
const payloads = {
  'studio.site.created': { site_id: id, brand_id: id },
  'studio.site.updated': { site_id: id, fields: z.array(siteFields), version },
  'studio.site.disabled': { site_id: id },
  'studio.site.enabled': { site_id: id },
  'studio.sdk_key.issued': { key_id: id, site_id: id, mode },
  'studio.sdk_key.rotated': { key_id: id, new_key_id: id, site_id: id, old_key_ends_at: z.string() },
  'studio.sdk_key.revoked': { key_id: id, site_id: id },
  'studio.form.created': { form_id: id, site_id: id },
  'studio.form.updated': { form_id: id, fields: z.array(formFields), revision: version },
  'studio.form.published': { form_id: id, version, previous_version: version.nullable() },
  'studio.form.activated': { form_id: id, version, previous_version: version.nullable() },
  'studio.form.unpublished': { form_id: id, version },
  'studio.form.archived': { form_id: id, version: version.nullable() },
  'studio.form.restored': { form_id: id },
  'studio.recipient.asked': { recipient_id: id, form_id: id },
  'studio.recipient.confirmed': { recipient_id: id },
  'studio.recipient.unsubscribed': { recipient_id: id },
  'studio.recipient.resubscribed': { recipient_id: id },
  'studio.recipient.refused': { recipient_id: id, reason: z.string().regex(/^[a-z0-9_]{1,40}$/), stopped: z.boolean() },
  'studio.recipient.freed': { recipient_id: id, form_id: id },
} as const;

export const studioGrammar: Grammar = {
  name: 'studio',
  events: Object.entries(payloads).map(([types, shape]) => ({
    types,
    major: 1,
    schema: z.toJSONSchema(z.strictObject(shape)) as Record<string, unknown>,
  })),
};

/** What a verb records, with the envelope's constant part. */
export const studioEvent = (type: keyof typeof payloads, payload: Record<string, unknown>) => ({
  type,
  eventVersion: '1.0.0',
  grammar: 'studio',
  source: 'studio',
  payload,
});
