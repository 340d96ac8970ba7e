import { defineErrors } from '@steward/kernel';

export const crmFail = defineErrors({
  contact_identity_required: [400, 'A contact needs an e-mail address, a phone or a name'],
  contact_conflict: [409, 'The e-mail address or phone belongs to another contact'],
  stale_contact: [409, 'Somebody else changed the contact'],
  contact_field_fixed: [409, 'The type of a field cannot change'],
  contact_schema_limit: [409, 'The contact schema has reached its largest size'],
  contact_field_limit: [409, 'Contacts have reached the largest number of fields'],
});
