import { connectProviders, operateCallbacks, readBodies, readCallbacks } from './permissions.ts';

const portal = { pillar: 'portal', surfaces: ['public', 'internal'], personas: [] } as const;

export const reads = { ...portal, kind: 'query', tier: 'read', requires: readCallbacks } as const;
export const readsBodies = { ...reads, requires: readBodies } as const;
export const operates = { ...portal, kind: 'command', tier: 'write', requires: operateCallbacks } as const;
/** Tools propose it, and people decide. */
export const connects = { ...portal, kind: 'command', tier: 'approval', requires: connectProviders } as const;
/** What no tool does: secrets pass through people alone (ADR 39). */
export const people = { name: '' } as const;
