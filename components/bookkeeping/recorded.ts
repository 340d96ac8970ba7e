import { instantOf, type RecordedRows, rowOf } from '@steward/verification';
import { profileContents } from './contents.ts';

/** The rows that must agree with the audit log. */
export const recorded: readonly RecordedRows[] = [
  {
    what: 'posting profile',
    types: ['commerce.posting_profile.changed'],
    held: `select p.tenant_id, 'profile' as key, concat_ws(' ', p.mode, 'version', p.version, c.digest, p.changed_at) as says
      from bookkeeping.profile p join (${profileContents}) c on c.tenant_id = p.tenant_id`,
    told: `select 'profile' as key, concat_ws(' ', e.payload ->> 'mode', 'version', e.payload ->> 'version', e.payload ->> 'content_sha256',
      ${instantOf('changed_at')}) as says ${rowOf('bookkeeping.profile', 'tenant_id', 'e.tenant_id')}`,
  },
  {
    what: 'posting of an order',
    types: ['commerce.order_posting.settled'],
    held: `select tenant_id, posting_id::text as key, concat_ws(' ', order_id, kind, source_id, state, 'document ' || document_id,
        'payment ' || payment_id, nullif(array_to_string(further_payment_ids, ' '), ''), 'entry ' || entry_id, 'version ' || order_version) as says
      from bookkeeping.posting where state in ('drafted', 'posted', 'left_out')`,
    // What waits again, as after its draft was voided, says nothing of the books.
    told: `select e.payload ->> 'posting_id' as key, case when e.payload ->> 'state' <> 'waiting' then concat_ws(' ', e.payload ->> 'order_id', e.payload ->> 'kind', e.payload ->> 'source_id',
      e.payload ->> 'state', 'document ' || (e.payload ->> 'document_id'), 'payment ' || (e.payload ->> 'payment_id'),
      (select string_agg(p, ' ' order by n) from jsonb_array_elements_text(e.payload -> 'further_payment_ids') with ordinality f (p, n)),
      case e.payload ->> 'kind' when 'cost' then 'entry ' || (e.payload -> 'entries' ->> 0) end, 'version ' || (e.payload ->> 'order_version')) end as says`,
  },
];
