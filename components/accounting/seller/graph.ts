import type { GraphModule } from '@steward/graphql';
import { doing, objectOf, taking } from '@steward/graphql/field';
import { getSeller } from './get.ts';
import { seller } from './seller.ts';
import { updateSeller } from './update.ts';

/** The seller of the books in the GraphQL API. */
export const sellerGraph: GraphModule = (builder) => {
  const type = objectOf(builder, 'Seller', seller.answer, {
    description: 'Who sells, as invoices show it.',
  });
  builder.queryFields((t) => ({
    seller: t.field({
      type,
      extensions: doing('service_get_seller'),
      ...taking(builder, getSeller.input, async (args, { tenant }) => getSeller(tenant, args)),
    }),
  }));
  builder.mutationFields((t) => ({
    updateSeller: t.field({
      type,
      extensions: doing('service_update_seller'),
      description: 'Changes what is given; null removes it.',
      ...taking(builder, updateSeller.input, async (args, { tenant }) => updateSeller(tenant, args)),
    }),
  }));
};
