import type { GraphBuilder } from '@steward/graphql';

type FieldBuilder = Parameters<Parameters<GraphBuilder['queryFields']>[0]>[0];

/** The filters as arguments of a field. */
export const filterArguments = (t: FieldBuilder) => ({
  type: t.arg.string({ description: 'A type, or a pattern: * matches one dotted part, ** one or more.' }),
  grammar: t.arg.string(),
  principal: t.arg.string({ description: 'A principal anywhere in the principal chain, such as user:alice.' }),
  causalId: t.arg.string(),
  correlationId: t.arg.string(),
  resource: t.arg.string({ description: 'A whole string in the payload, or the value of a dimensional tag.' }),
  receivedFrom: t.arg({ type: 'DateTime' }),
  receivedBefore: t.arg({ type: 'DateTime' }),
  occurredFrom: t.arg({ type: 'DateTime' }),
  occurredBefore: t.arg({ type: 'DateTime' }),
  sequenceFrom: t.arg({ type: 'BigInt' }),
  sequenceTo: t.arg({ type: 'BigInt' }),
});
