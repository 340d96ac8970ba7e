import { defineErrors } from '@steward/kernel';

export const studioFail = defineErrors({
  form_not_publishable: [400, 'The form cannot be published as it is'],
  site_disabled: [409, 'The site is disabled'],
  sdk_key_ended: [409, 'The key is revoked, expired or already rotated'],
  sdk_key_limit: [409, 'There are as many keys as there may be'],
  site_limit: [409, 'The tenant has as many sites as it may have'],
  form_limit: [409, 'The tenant has as many forms as it may have'],
  form_version_limit: [409, 'The tenant has published as many versions as it may'],
  recipient_unsubscribed: [409, 'Whoever reads the address wants no letters'],
  form_changed: [409, 'The form was changed in the meantime'],
});
