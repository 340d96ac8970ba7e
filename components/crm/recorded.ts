import { consentDigest, noConsent } from './contacts/consent.ts';
import { instantOf, madeAt, type RecordedRows } from '@steward/verification';

const contactId = `(e.payload ->> 'contact_id')::uuid`;

/** The rows that must agree with the audit log: contacts and versions of their schema, but for what they say, which no event carries. */
export const recorded: readonly RecordedRows[] = [
  madeAt('contact', 'crm.contact.created', {
    table: 'crm.contact',
    id: 'contact_id',
    column: 'created_at',
    key: contactId,
  }),
  {
    what: 'standing of contact',
    types: [
      'crm.contact.created',
      'crm.contact.archived',
      'crm.contact.restored',
      'crm.contact.merged',
      'crm.contact.erased',
    ],
    held: `select tenant_id, contact_id::text as key, coalesce('archived ' || archived_at, 'in use') as says from crm.contact`,
    // The row is looked up by its key, for those that were archived alone: joined, all rows would be compared with all events.
    told: `select told.id::text as key, case e.type when 'crm.contact.erased' then null
        when 'crm.contact.archived' then 'archived ' || coalesce((select ${instantOf('archived_at')} from crm.contact r
          where r.tenant_id = e.tenant_id and r.contact_id = told.id), e.received_at) else 'in use' end as says
      from (select ${contactId} union all select (e.payload ->> 'merged_id')::uuid
        union all select jsonb_array_elements_text(e.payload -> 'merged_ids')::uuid) told (id)
      where told.id is not null`,
  },
  {
    what: 'consent of contact to news',
    types: ['crm.contact.consent_changed', 'crm.contact.erased'],
    held: `select tenant_id, contact_id::text as key, ${consentDigest} as says from crm.contact where marketing_consent is not null`,
    // Where a yes has ended, there is nothing to hold.
    told: `select told.id::text as key, nullif(e.payload ->> 'content_sha256', ${noConsent}) as says
      from (select ${contactId} union all select jsonb_array_elements_text(e.payload -> 'merged_ids')::uuid) told (id)`,
  },
  {
    what: 'schema of contacts',
    types: ['crm.schema.changed'],
    held: `select tenant_id, version::text as key, created_at::text as says from crm.contact_schema`,
    told: `select e.payload ->> 'version' as key, (${instantOf('created_at')})::text as says
      from (select) o left join crm.contact_schema r on r.tenant_id = e.tenant_id and r.version = (e.payload ->> 'version')::int`,
  },
];
