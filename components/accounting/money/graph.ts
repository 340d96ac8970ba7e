import { moneyShape } from '@steward/contract';
import type { GraphBuilder } from '@steward/graphql';
import { objectOf } from '@steward/graphql/field';

/** The one `Money` of a schema, whichever module asks for it first. */
export const moneyType = (builder: GraphBuilder) =>
  objectOf(builder, 'Money', moneyShape, {
    description: 'An amount with exactly the minor digits of its currency.',
    members: { amount: 'A decimal string.', currency: 'ISO 4217.' },
  });
