import { instantOf, rowOf, type DerivedRows, type RecordedRows } from '@steward/verification';
import { contents } from '../contents.ts';

const id = (name: string): string => `(e.payload ->> '${name}')::uuid`;
const types = ['accounting.file.attached'];

/** Files agree with the log by target, size and hash; their content makes that hash. */
export const attachmentRows: readonly (RecordedRows | DerivedRows)[] = [
  {
    what: 'attachment',
    types,
    held: `select tenant_id, attachment_id::text as key, concat_ws(' ', target_kind, target_id, bytes, sha256, attached_at) as says from accounting.attachment`,
    // Files are deleted with an erased document; the check of documents says whether it may be gone.
    told: `select ${id('attachment_id')}::text as key, case when e.payload ->> 'target_kind' <> 'document' or exists (
        select from accounting.document d where d.tenant_id = e.tenant_id and d.document_id = ${id('target_id')})
      then concat_ws(' ', e.payload ->> 'target_kind', ${id('target_id')}, e.payload ->> 'bytes', e.payload ->> 'sha256', ${instantOf('attached_at')}) end as says
      ${rowOf('accounting.attachment', 'attachment_id', id('attachment_id'))}`,
  },
  {
    what: 'standing of attachment',
    types: [...types, 'accounting.file.removed'],
    held: `select tenant_id, attachment_id::text as key, coalesce('removed ' || removed_at, 'attached') as says
      from accounting.attachment`,
    // The check above says whether a row may be gone.
    told: `select r.attachment_id::text as key, case e.type when 'accounting.file.removed' then 'removed ' || (${instantOf('removed_at')})
        else 'attached' end as says
      from accounting.attachment r where r.tenant_id = e.tenant_id and r.attachment_id = ${id('attachment_id')}`,
  },
  {
    what: 'name and media type of attachment',
    types,
    held: `select tenant_id, key::text, digest as says from (${contents.attachment}) c`,
    // Events of earlier versions have none.
    told: `select c.key::text as key, coalesce(e.payload ->> 'content_sha256', c.digest) as says from (${contents.attachment}) c
      where c.tenant_id = e.tenant_id and c.key = ${id('attachment_id')}`,
  },
  {
    what: 'size of all attached files',
    from: 'the attachments',
    held: `select tenant_id, 'bytes' as key, bytes::text as says from accounting.attached where bytes <> 0`,
    due: `select tenant_id, 'bytes' as key, sum(bytes)::text as says from accounting.attachment where removed_at is null group by tenant_id having sum(bytes) <> 0`,
  },
  {
    what: 'content of file',
    from: 'its attachments',
    held: `select tenant_id, sha256 as key, encode(sha256(content), 'hex') as says from accounting.blob`,
    due: `select distinct tenant_id, sha256 as key, sha256 as says from accounting.attachment`,
  },
];
