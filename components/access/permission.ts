import type { Permission as Right } from '@steward/sql';
import { roles, type Role, type CallerRole } from './roles.ts';

/** A named right, who holds it, and what the tenant's billing tier must include for it; declared beside the noun it guards. */
export interface Permission extends Right {
  readonly roles: ReadonlySet<CallerRole>;
  readonly entitlement: Entitlement;
}

/** Reading stays with every tier, and so does erasing people; deciding and appointing do too (contracts §9). */
export type Entitlement = 'read' | 'write' | 'decide';

/** @example const readAccounts = permit('accounts.read', everyone, 'read') */
export const permit = (
  name: string,
  holders: readonly CallerRole[],
  entitlement: Entitlement = 'write',
): Permission => ({
  name,
  roles: new Set(holders),
  entitlement,
});

/** The same right for work that takes long: imports, exports, reports, closing a year. */
export const heavily = (permission: Permission): Permission => ({ ...permission, heavy: true });

/** What takes no tenant takes no role in one. */
export const noTenant = permit('tenant.none', [], 'read');

/** The members' roles that hold a right, without the platform. */
export const rolesWith = ({ roles: holders }: Pick<Permission, 'roles'>): Role[] =>
  [...holders].filter((one): one is Role => (roles as readonly string[]).includes(one));
