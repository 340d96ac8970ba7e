import type { TenantContext } from '@steward/sql';
import { readTenant } from '../permissions.ts';
import { presentOrganization, selectOrganization, type Organization } from './organization.ts';

export async function readOrganization(context: TenantContext): Promise<Organization> {
  const [row] = await context.require(readTenant).read(selectOrganization);
  return presentOrganization(row);
}
