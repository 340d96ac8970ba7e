import { integer, oneOf, settings, text } from '@steward/kernel';
import type { StudioLimits } from './limits.ts';

export interface StudioSettings {
  /** Who may receive emails about submissions: every address that a form names, or only members among them. */
  readonly notifications: 'any' | 'known';
  /** How much a tenant may make in the studio. */
  readonly studio: StudioLimits;
}

const variables = {
  STOREFRONT_SITE_PER_KEY_PER_MINUTE: {
    default: '6000',
    says: 'The highest limit of requests per SDK key and minute that a site may set for itself.',
  },
  STUDIO_SITES_PER_TENANT: { default: '200', says: 'Sites that a tenant may have, disabled ones included.' },
  STUDIO_KEYS_PER_TENANT: {
    default: '5000',
    says: 'SDK keys that a tenant may issue, ended ones included. A site has 50 live keys at most.',
  },
  STUDIO_FORMS_PER_TENANT: {
    default: '1000',
    says: 'Forms that a tenant may have in use. Ten times as many are allowed with archived ones.',
  },
  STUDIO_VERSIONS_PER_TENANT: { default: '20000', says: 'Versions of forms that a tenant may publish.' },
  NOTIFICATION_RECIPIENTS: {
    default: 'any',
    says:
      '`known`: only addresses of members of the tenant, and addresses whose reader confirmed them, receive e-mails about ' +
      'submissions. Use it on hosts where strangers may sign up.',
  },
} as const;

export const studioSettings = settings(variables, (env): StudioSettings => ({
  notifications: oneOf('NOTIFICATION_RECIPIENTS', text(env, 'NOTIFICATION_RECIPIENTS'), ['any', 'known']),
  studio: {
    sites: integer(env, 'STUDIO_SITES_PER_TENANT', 1, 1_000_000),
    keys: integer(env, 'STUDIO_KEYS_PER_TENANT', 1, 10_000_000),
    forms: integer(env, 'STUDIO_FORMS_PER_TENANT', 1, 1_000_000),
    versions: integer(env, 'STUDIO_VERSIONS_PER_TENANT', 1, 100_000_000),
    requestsPerMinute: integer(env, 'STOREFRONT_SITE_PER_KEY_PER_MINUTE', 1, 1_000_000),
  },
}));
