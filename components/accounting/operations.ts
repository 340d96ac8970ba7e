import { closeBooks, keepBooks, readBooks } from './permissions.ts';

const accounting = { pillar: 'accounting', surfaces: ['public', 'internal'], personas: [] } as const;

export const reads = { ...accounting, kind: 'query', tier: 'read', requires: readBooks } as const;
export const writes = { ...accounting, kind: 'command', tier: 'write', requires: keepBooks } as const;
/** What a person approves first. */
export const decides = { ...writes, tier: 'approval' } as const;
export const closes = { ...decides, requires: closeBooks } as const;
