import { erasePeople, readSubmissions } from './permissions.ts';

const commerce = { surfaces: ['public', 'internal'], personas: [] } as const;

export const reads = { ...commerce, pillar: 'studio', kind: 'query', tier: 'read', requires: readSubmissions } as const;
/** It cannot be taken back. A duty, so it does not end with what the tenant pays for. */
export const erases = { ...commerce, kind: 'command', tier: 'approval', requires: erasePeople } as const;
