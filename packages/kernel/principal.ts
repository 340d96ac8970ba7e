export type PrincipalType = 'user' | 'agent' | 'service' | 'system';

/** One link of a principal chain. `id` is an opaque subject id, never an e-mail address. */
export interface PrincipalRef {
  readonly type: PrincipalType;
  readonly id: string;
}

export const roles = ['owner', 'admin', 'accountant', 'merchandiser', 'developer', 'viewer'] as const;

/** What a member may be in a tenant (contracts §3). */
export type Role = (typeof roles)[number];

/** `platform` is no membership: it is the standing of a configured service token in every tenant. */
export type Standing = Role | 'platform';

/** A named right and who holds it; declared beside the noun it guards. */
export interface Permission {
  readonly name: string;
  readonly roles: ReadonlySet<Standing>;
  /** What is done with it takes long, and waits apart from what is answered at once. */
  readonly heavy?: true;
}

/** The same right for work that takes long: imports, exports, reports, closing a year. */
export const heavily = (permission: Permission): Permission => ({ ...permission, heavy: true });

/** @example const readAccounts = permit('accounts.read', everyone) */
export function permit(name: string, holders: readonly Standing[]): Permission {
  return { name, roles: new Set(holders) };
}
