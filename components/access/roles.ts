export const roles = ['owner', 'admin', 'accountant', 'merchandiser', 'developer', 'viewer'] as const;

/** What a member may be in a tenant (contracts §3). */
export type Role = (typeof roles)[number];

/** `platform` is no membership: it is what a configured service token is in every tenant. */
export type CallerRole = Role | 'platform';

/** Every member, and the platform. */
export const everyone: readonly CallerRole[] = [...roles, 'platform'];
