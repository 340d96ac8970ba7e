import { actor, instantOf, type RecordedRows } from '@steward/verification';

/** The rows that must agree with the audit log: submissions, but for what they say, which no event carries. */
export const recorded: readonly RecordedRows[] = [
  {
    what: 'submission',
    types: ['commerce.form.submitted'],
    held: `select tenant_id, submission_id::text as key,
      concat_ws(' ', 'form', form_id, form_version, site_id, mode, 'by', 'sdk-key:' || key_id, 'contact ' || contact_id) as says
      from commerce.submission`,
    told: `select e.payload ->> 'submission_id' as key, concat_ws(' ', 'form', e.payload ->> 'form_id', e.payload ->> 'form_version',
      e.payload ->> 'site_id', e.payload ->> 'mode', 'by', ${actor.id}, 'contact ' || (e.payload ->> 'contact_id')) as says`,
  },
  {
    what: 'standing of submission',
    types: ['commerce.form.submitted', 'commerce.submission.erased'],
    held: `select tenant_id, submission_id::text as key, coalesce('erased ' || erased_at, 'kept') as says from commerce.submission`,
    told: `select told.key, case e.type when 'commerce.form.submitted' then 'kept' else 'erased ' || (${instantOf('erased_at')}) end as says
      from (select e.payload ->> 'submission_id' as key where e.type = 'commerce.form.submitted' union all
        select jsonb_array_elements_text(e.payload -> 'submission_ids')) told
      left join commerce.submission r on r.tenant_id = e.tenant_id and r.submission_id = told.key::uuid`,
  },
];
