import { permit, roles } from '@steward/kernel';

export const readTenant = permit('tenant.read', [...roles, 'platform']);
export const administerTenant = permit('tenant.administer', ['owner', 'admin']);
/** Roles that may hand out roles; what each may hand out is in members/policy.ts. */
export const administerMembers = permit('members.administer', ['owner', 'admin']);
export const manageBrands = permit('brands.manage', ['owner', 'admin', 'merchandiser']);
/** Whoever runs the installation. */
export const operateTenant = permit('tenant.operate', ['platform']);
export const foundTenant = permit('tenant.found', ['platform']);
