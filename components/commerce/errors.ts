import { defineErrors } from '@steward/kernel';

export const commerceFail = defineErrors({
  invalid_form_id: [400, 'The form id is not a UUID'],
  data_required: [400, 'The submission has no data'],
  invalid_data: [400, 'The submitted data cannot be kept'],
  required_fields_missing: [400, 'Required fields are missing'],
  contact_id_not_accepted: [400, 'A contact id is not accepted here'],
  unsupported_mapping_target: [400, 'The form maps fields to a target that cannot be written'],
  invalid_contact_values: [400, 'Values do not fit the contact schema'],
  invalid_sdk_key: [401, 'The SDK key is not accepted'],
  collection_not_found: [404, 'The site shows no such collection'],
  product_not_found: [404, 'There is no such product'],
  origin_not_allowed: [403, 'The origin is not allowed for this key'],
});
