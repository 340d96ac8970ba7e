import { changePolicy, decideActions, overseeActions, proposeActions, readActions, readPolicy } from './permissions.ts';

const portal = { pillar: 'portal', surfaces: ['public', 'internal'], personas: [] } as const;
const reading = { ...portal, kind: 'query', tier: 'read' } as const;
const writing = { ...portal, kind: 'command', tier: 'write' } as const;

/** Reading one's own proposals: for every proposer. */
export const reads = { ...reading, everywhere: true, requires: readActions } as const;
export const proposes = { ...writing, everywhere: true, requires: proposeActions } as const;

/** What no tool does. */
export const oversees = { ...reading, name: '', requires: overseeActions } as const;
export const decides = { ...writing, name: '', requires: decideActions } as const;
export const readsPolicy = { ...reading, name: '', requires: readPolicy } as const;
export const changesPolicy = { ...writing, name: '', requires: changePolicy } as const;

/** What a token is refused with that does not decide. */
export const deciding = [
  'not_human',
  'client_not_approver',
  'insufficient_scope',
  'login_too_old',
  'insufficient_role',
];
export const approving = [
  ...deciding,
  'not_found',
  'not_pending',
  'stale_preview',
  'already_approved',
  'tool_unavailable',
];
