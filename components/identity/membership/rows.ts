/** Every member as a row for whoever verifies: `tenant_id`, `key`, which is the principal's type and id, and `says`, the role. */
export const memberRows = `select tenant_id, concat_ws(' ', principal_type, principal_id) as key, role as says from identity.member`;
