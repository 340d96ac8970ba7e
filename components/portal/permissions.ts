import { everyone, permit } from '@steward/access';

export const readTenant = permit('tenant.read', everyone, 'read');
export const administerTenant = permit('tenant.administer', ['owner', 'admin']);
/** Roles that may hand out roles; what each may hand out is in members/policy.ts. */
export const administerMembers = permit('members.administer', ['owner', 'admin'], 'decide');
export const manageBrands = permit('brands.manage', ['owner', 'admin', 'merchandiser']);
/** With every tier: who cannot pay stays where nothing is paid. */
export const manageBilling = permit('billing.manage', ['owner'], 'read');
/** The operator of the installation. */
export const operateTenant = permit('tenant.operate', ['platform']);
export const foundTenant = permit('tenant.found', ['platform']);
