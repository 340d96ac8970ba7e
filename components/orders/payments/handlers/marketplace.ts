import type { HandlerKind } from './handler.ts';

/** What a marketplace takes for orders that are placed there, and gives back: it is noted here, and no checkout is offered it. */
export const marketplaceKind = {
  name: 'marketplace',
  modes: [],
  methods: ['marketplace'],
  local: true,
  refunds: 'handler',
} as const satisfies HandlerKind;
