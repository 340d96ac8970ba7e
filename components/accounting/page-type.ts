import type { GraphBuilder } from '@steward/graphql';

type ObjectOf<Item> = ReturnType<ReturnType<GraphBuilder['objectRef']>['implement']> & { readonly $inferType: Item };

/** A page of a list, as a type of the graph. */
export const pageType = <Item extends object>(builder: GraphBuilder, name: string, item: ObjectOf<Item>) =>
  builder.objectRef<{ readonly items: readonly Item[]; readonly nextCursor: string | null }>(name).implement({
    fields: (t) => ({
      items: t.expose('items', { type: [item] }),
      nextCursor: t.exposeString('nextCursor', { nullable: true }),
    }),
  });
