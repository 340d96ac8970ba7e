import type { RecordedRows } from '@steward/audit';
import { memberRows } from '@steward/identity';

/** Who belongs to a tenant, and as what, must stand in the audit log. */
export const recorded: readonly RecordedRows[] = [
  {
    what: 'member',
    types: ['portal.member.added', 'portal.member.role_changed', 'portal.member.removed'],
    held: memberRows,
    told: `select concat_ws(' ', e.payload ->> 'principal_type', e.payload ->> 'principal_id') as key, case e.type
      when 'portal.member.added' then e.payload ->> 'role' when 'portal.member.role_changed' then e.payload ->> 'after' end as says`,
  },
];
