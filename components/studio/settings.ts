import { integer, oneOf, settings, text } from '@steward/kernel';
import type { StudioLimits } from './limits.ts';

export interface StudioSettings {
  /** Who may be told of submissions: whoever a form names, or those of them who are members. */
  readonly notifications: 'any' | 'known';
  /** How much a tenant may make in the studio. */
  readonly studio: StudioLimits;
}

const variables = {
  STOREFRONT_SITE_PER_KEY_PER_MINUTE: {
    default: '6000',
    says: 'What a site may give itself at most instead: requests per SDK key and minute.',
  },
  STUDIO_SITES_PER_TENANT: { default: '200', says: 'Sites a tenant may have, disabled ones included.' },
  STUDIO_KEYS_PER_TENANT: {
    default: '5000',
    says: 'SDK keys a tenant may issue, ended ones included; 50 live ones a site.',
  },
  STUDIO_FORMS_PER_TENANT: {
    default: '1000',
    says: 'Forms a tenant may have in use; ten times as many with those that are archived.',
  },
  STUDIO_VERSIONS_PER_TENANT: { default: '20000', says: 'Versions of forms a tenant may publish.' },
  NOTIFICATION_RECIPIENTS: {
    default: 'any',
    says: '`known`: of the addresses that forms name, only those of members of the tenant, and those whose reader confirmed them, are told of submissions. For hosts where strangers may sign up.',
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
