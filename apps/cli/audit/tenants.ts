import { isId } from '@steward/kernel';
import { allTenants } from '@steward/portal';
import type { OpenInstance } from '../with-instance.ts';
import { UsageError } from '../command.ts';

/** The named tenant, or all. @throws ConfigError if no tenant is named and the owner's login is not here */
export async function tenantsOf(instance: OpenInstance, only: string | undefined): Promise<readonly string[]> {
  return only === undefined ? allTenants(instance.ownerUrl()) : [tenantOf(only)];
}

/** @throws UsageError where the option is missing or no id */
export function tenantOf(given: string | undefined): string {
  if (!isId(given)) throw new UsageError('--tenant is the id of a tenant.');
  return given;
}
