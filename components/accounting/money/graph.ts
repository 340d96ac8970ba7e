import type { GraphBuilder } from '@steward/graphql';
import type { Money } from '@steward/kernel';

const made = new WeakMap<GraphBuilder, ReturnType<typeof make>>();

const make = (builder: GraphBuilder) =>
  builder.objectRef<Money>('Money').implement({
    description: 'An amount with exactly the minor digits of its currency.',
    fields: (t) => ({
      amount: t.exposeString('amount', { description: 'A decimal string.' }),
      currency: t.exposeString('currency', { description: 'ISO 4217.' }),
    }),
  });

/** The one `Money` of a schema, whichever module asks for it first. */
export function moneyType(builder: GraphBuilder) {
  const known = made.get(builder) ?? make(builder);
  made.set(builder, known);
  return known;
}
