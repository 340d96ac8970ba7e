import type { HandlerKind } from '../handler.ts';

/** By a provider of card payments: authorized at once, captured when the tenant says so. */
export const cardKind = {
  name: 'card',
  modes: ['live', 'test'],
  methods: ['card'],
  local: false,
  refunds: 'handler',
} as const satisfies HandlerKind;
