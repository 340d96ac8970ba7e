import { defineErrors } from '@steward/kernel';

export const studioFail = defineErrors({
  form_not_found: [404, 'There is no such form'],
  form_not_publishable: [400, 'The form cannot be published in its present state'],
  brand_archived: [409, 'The brand of the site is archived'],
  site_disabled: [409, 'The site is disabled'],
  sdk_key_ended: [409, 'The key is revoked, expired or already rotated'],
  sdk_key_limit: [409, 'The site or tenant has reached its limit of keys'],
  site_limit: [409, 'The tenant has reached its limit of sites'],
  form_limit: [409, 'The tenant has reached its limit of forms'],
  form_version_limit: [409, 'The tenant has reached its limit of published versions'],
  recipient_unsubscribed: [409, 'The reader of this address has unsubscribed'],
  form_changed: [409, 'Somebody else changed the form'],
});
