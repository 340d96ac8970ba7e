import type { GraphModule } from '@steward/graphql';
import { doing, objectOf, taking } from '@steward/graphql/field';
import { z } from 'zod';
import { archiveTax, type TaxPorts } from './archive.ts';
import { createTax } from './create.ts';
import { listTaxes } from './list.ts';
import { tax } from './tax.ts';

/** Tax rates in the GraphQL API. */
export const taxGraph =
  (ports: TaxPorts): GraphModule =>
  (builder) => {
    const type = objectOf(builder, 'TaxRate', tax.answer, {
      description: 'A tax rate for lines of documents. Its percentage never changes.',
      members: {
        percentage: 'A decimal without zeros at its end, such as 19 or 7.25.',
        purchaseAccountId: 'null: tax on purchases is part of the cost.',
      },
    });
    builder.queryFields((t) => ({
      taxRates: t.field({
        extensions: doing('service_list_tax_rates'),
        type: [type],
        description: 'By name.',
        ...taking(builder, listTaxes.input, async (args, { tenant }) => listTaxes(tenant, args)),
      }),
    }));
    builder.mutationFields((t) => ({
      createTaxRate: t.field({
        type,
        extensions: doing('service_create_tax_rate'),
        ...taking(builder, createTax.input, async (args, { tenant }) => createTax(tenant, args), {
          members: { salesAccount: 'Code or id.', purchaseAccount: 'Code or id.' },
        }),
      }),
      archiveTaxRate: t.field({
        type,
        extensions: doing('service_archive_tax_rate'),
        ...taking(builder, z.strictObject({ id: archiveTax.input.shape.taxId }), async ({ id }, { tenant }) =>
          archiveTax(tenant, { taxId: id }, ports),
        ),
      }),
    }));
  };
