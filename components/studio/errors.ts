import { defineErrors } from '@steward/kernel';

export const studioFail = defineErrors({
  form_not_publishable: [400, 'The form cannot be published as it is'],
  site_disabled: [409, 'The site is disabled'],
  sdk_key_ended: [409, 'The key is revoked, expired or already rotated'],
  sdk_key_limit: [409, 'The site has as many live keys as it may have'],
  form_changed: [409, 'The form was changed in the meantime'],
});
