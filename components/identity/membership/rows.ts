/** Every member as a row for verification: `tenant_id`, `key`, which is the principal's type and id, and `says`, the role. */
export const memberRows = `select tenant_id, concat_ws(' ', principal_type, principal_id) as key, role as says from identity.member`;

/** The same rows; `says` is whether the member has access, or since when not. */
export const memberStates = `select tenant_id, concat_ws(' ', principal_type, principal_id) as key,
  coalesce('suspended ' || suspended_at, 'in standing') as says from identity.member`;

/** The same rows; `says` is when somebody became a member. */
export const memberTimes = `select tenant_id, concat_ws(' ', principal_type, principal_id) as key, added_at::text as says from identity.member`;

/** The same rows; `says` is by whom and through which client. */
export const memberOrigins = `select tenant_id, concat_ws(' ', principal_type, principal_id) as key,
  concat_ws(' ', 'by ' || created_by_type, created_by, 'through ' || created_through) as says from identity.member`;

/** The same rows; `says` is by whom they were given another role than they came with, and through which client. */
export const roleOrigins = `select tenant_id, concat_ws(' ', principal_type, principal_id) as key,
  concat_ws(' ', 'by ' || role_by_type, role_by, 'through ' || role_through) as says from identity.member`;

/** When members left: the last time, of each. */
export const departures = `select tenant_id, concat_ws(' ', principal_type, principal_id) as key, max(removed_at)::text as says
  from identity.former_member group by tenant_id, principal_type, principal_id`;
