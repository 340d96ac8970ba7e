import { connectChannels, readChannels } from './permissions.ts';

const commerce = { pillar: 'commerce', area: 'connections', surfaces: ['public', 'internal'], personas: [] } as const;

export const reads = { ...commerce, kind: 'query', tier: 'read', requires: readChannels } as const;
/** Tools propose it, and people decide. */
export const connects = { ...commerce, kind: 'command', tier: 'approval', requires: connectChannels } as const;
/** At once, and it can be done again. */
export const operates = { ...commerce, kind: 'command', tier: 'write', requires: connectChannels } as const;
