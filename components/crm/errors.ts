import { defineErrors } from '@steward/kernel';

export const crmFail = defineErrors({
  contact_identity_required: [400, 'A contact needs an e-mail address, a phone or a name'],
  contact_conflict: [409, 'The e-mail address or phone belongs to another contact'],
  stale_contact: [409, 'The contact was changed meanwhile'],
  contact_field_fixed: [409, 'The type of a field does not change'],
  contact_schema_limit: [409, 'The schema of contacts is as large as it may be'],
  contact_field_limit: [409, 'There are as many fields as a contact can have'],
});
