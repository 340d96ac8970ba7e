/** Every member as a row for verification: `tenant_id`, `key`, which is the principal's type and id, and `says`, the role. */
export const memberRows = `select tenant_id, concat_ws(' ', principal_type, principal_id) as key, role as says from identity.member`;

/** The same rows; `says` is whether the member has access. */
export const memberStates = `select tenant_id, concat_ws(' ', principal_type, principal_id) as key,
  case when suspended_at is null then 'in standing' else 'suspended' end as says from identity.member`;
