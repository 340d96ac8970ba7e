import { erasePersonal, holdTenant, readEvents } from './policy.ts';

/** What no tool does. */
const log = { pillar: 'accounting', surfaces: ['public', 'internal'], personas: [], name: '' } as const;

export const reads = { ...log, kind: 'query', tier: 'read', requires: readEvents } as const;
export const holds = { ...log, kind: 'command', tier: 'write', requires: holdTenant } as const;
export const erases = { ...holds, requires: erasePersonal } as const;

/** By what agents are admitted to the log. */
export const reading = { pillar: 'accounting', tier: 'read' } as const;
