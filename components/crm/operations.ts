import { defineContactFields, mergeContacts, readContacts, writeContacts } from './permissions.ts';

const crm = { pillar: 'crm', surfaces: ['public', 'internal'], personas: [] } as const;

export const reads = { ...crm, kind: 'query', tier: 'read', requires: readContacts } as const;
export const writes = { ...crm, kind: 'command', tier: 'write', requires: writeContacts } as const;
export const defines = { ...writes, requires: defineContactFields } as const;
export const merges = { ...crm, kind: 'command', tier: 'approval', requires: mergeContacts } as const;
