import type { GraphBuilder } from '@steward/graphql';
import { doing, enumOf, inputOf, objectOf, weigh } from '@steward/graphql/field';
import { attachmentsOf, attachmentType } from '../attachments/graph.ts';
import { partiesById } from '../parties/batch.ts';
import { partyType } from '../parties/graph.ts';
import { moneyType } from '../money/graph.ts';
import { document, documentLine, documentStatus, taxTotal } from './document.ts';
import { draft, draftLine } from './input.ts';
import { documentKind } from './kind.ts';
import { pricing } from './totals.ts';

/** What the GraphQL API shows of documents. */
export function documentTypes(builder: GraphBuilder) {
  moneyType(builder);
  enumOf(builder, 'DocumentStatus', documentStatus);
  enumOf(builder, 'Pricing', pricing);
  objectOf(builder, 'DocumentLine', documentLine);
  objectOf(builder, 'TaxTotal', taxTotal, { description: 'The lines of one tax, summed.' });
  inputOf(builder, 'DocumentLineInput', draftLine, {
    members: {
      quantity: 'A decimal above zero, up to six digits behind the point.',
      unitPrice: 'A decimal, up to six digits behind the point.',
      account: 'Code or id.',
    },
  });
  return {
    kind: enumOf(builder, 'DocumentKind', documentKind),
    document: objectOf(builder, 'Document', document.answer, {
      description: 'An invoice, a credit note, a bill or a credit of a supplier.',
      members: {
        version: 'Send it back to change or issue only what you saw.',
        number: 'Without holes or reuse; null for a draft.',
        open: 'What is left to pay, or of a credit to use.',
        lines: { extensions: weigh({ size: 8 }) },
        taxes: { extensions: weigh({ size: 2 }) },
      },
      fields: (t) => ({
        party: t.field({
          type: partyType(builder),
          nullable: true,
          extensions: doing('service_get_party'),
          resolve: async ({ partyId }, _args, context) => context.load(partiesById, partyId),
        }),
        attachments: t.field({
          type: [attachmentType(builder).type],
          extensions: { ...weigh({ size: 2 }), ...doing('service_list_attachments') },
          resolve: async (one, _args, context) => attachmentsOf(one, context),
        }),
      }),
    }),
    input: inputOf(builder, 'DocumentInput', draft, {
      members: {
        issueDate: 'YYYY-MM-DD',
        dueDate: 'The terms of the party after the issue date where none is given.',
        currency: 'The currency of the party where none is given.',
        supplierNumber: 'The number a supplier gave a bill; each comes once.',
        credits: 'The document that a credit takes back.',
      },
    }),
  };
}
