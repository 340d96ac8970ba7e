import type { GraphModule } from '@steward/graphql';
import { doing, objectOf } from '@steward/graphql/field';
import { idArgument } from '../graph-arguments.ts';
import { archiveTax } from './archive.ts';
import { createTax } from './create.ts';
import { listTaxes } from './list.ts';
import { tax } from './tax.ts';

/** Tax rates in the GraphQL API. */
export const taxGraph: GraphModule = (builder) => {
  const type = objectOf(builder, 'TaxRate', tax.answer, {
    description: 'A tax rate for lines of documents. Its percentage never changes.',
    members: {
      percentage: 'With four digits behind the point.',
      purchaseAccountId: 'null: tax on purchases is part of the cost.',
    },
  });
  builder.queryFields((t) => ({
    taxRates: t.field({
      extensions: doing('service_list_tax_rates'),
      type: [type],
      description: 'By name.',
      args: { archived: t.arg.boolean({ defaultValue: false }) },
      resolve: async (_root, { archived }, { tenant }) => listTaxes(tenant, { archived: archived ?? false }),
    }),
  }));
  builder.mutationFields((t) => ({
    createTaxRate: t.field({
      type,
      extensions: doing('service_create_tax_rate'),
      args: {
        name: t.arg.string({ required: true }),
        percentage: t.arg.string({ required: true }),
        salesAccount: t.arg.string({ description: 'Code or id.' }),
        purchaseAccount: t.arg.string({ description: 'Code or id.' }),
      },
      resolve: async (_root, { name, percentage, salesAccount, purchaseAccount }, { tenant }) =>
        createTax(tenant, {
          name,
          percentage,
          salesAccount: salesAccount ?? undefined,
          purchaseAccount: purchaseAccount ?? undefined,
        }),
    }),
    archiveTaxRate: t.field({
      type,
      extensions: doing('service_archive_tax_rate'),
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_root, { id }, { tenant }) => archiveTax(tenant, { taxId: idArgument(id) }),
    }),
  }));
};
