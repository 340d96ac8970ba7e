import { pageCursor, pageLimit } from '@steward/contract';
import { handleMoney, manageOrders, readOrders } from './permissions.ts';

const commerce = { pillar: 'commerce', area: 'fulfilment', surfaces: ['public', 'internal'], personas: [] } as const;

export const reads = { ...commerce, kind: 'query', tier: 'read', requires: readOrders } as const;
/** Of what is done with an order, but for its money. */
export const manages = { ...commerce, kind: 'command', tier: 'write', requires: manageOrders } as const;
/** What is bought, where it goes, and who is told of it: a person decides first. */
export const amends = { ...manages, tier: 'approval' } as const;
/** Of what an order is paid and given back. */
export const handles = { ...commerce, kind: 'command', tier: 'write', requires: handleMoney } as const;
/** What a person approves first. */
export const decides = { ...handles, tier: 'approval' } as const;

export const paging = { limit: pageLimit, cursor: pageCursor() };
