import { administerMembers, administerTenant, manageBrands, readTenant } from './permissions.ts';

const portal = { pillar: 'portal', surfaces: ['public', 'internal'], personas: [] } as const;

export const reads = { ...portal, kind: 'query', tier: 'read', requires: readTenant } as const;
export const writes = { ...portal, kind: 'command', tier: 'write', requires: administerTenant } as const;

/** What no tool does. */
export const people = { name: '' } as const;
export const branding = { ...writes, ...people, requires: manageBrands } as const;
/** Who may do what: tools propose it, and people decide. */
export const appoints = { ...portal, kind: 'command', tier: 'approval', requires: administerMembers } as const;
export const appointees = { ...reads, ...people, requires: administerMembers } as const;
