import type { GraphBuilder } from '@steward/graphql';
import { enumOf, inputOf, objectOf, weigh } from '@steward/graphql/field';
import { attached } from '../attachments/graph.ts';
import { ofParty } from '../parties/graph.ts';
import { moneyType } from '../money/graph.ts';
import { credited, creditsOf } from './credited.ts';
import { document, documentBuyer, documentLine, documentSeller, taxTotal } from './document.ts';
import { draft, draftLine } from './input.ts';
import { documentKind, documentStatus } from './kind.ts';
import { pricing } from './totals.ts';
import { documentLanguage } from './words.ts';

/** What the GraphQL API shows of documents. */
export function documentTypes(builder: GraphBuilder) {
  moneyType(builder);
  enumOf(builder, 'DocumentStatus', documentStatus);
  enumOf(builder, 'Pricing', pricing);
  enumOf(builder, 'DocumentLanguage', documentLanguage);
  objectOf(builder, 'DocumentLine', documentLine);
  objectOf(builder, 'TaxTotal', taxTotal, { description: 'The sum of the lines of one tax rate.' });
  objectOf(builder, 'DocumentSeller', documentSeller, {
    description: 'Who sells. Of an issued document as it was then, of a draft as it is now.',
    members: { name: 'null for a draft: issuing keeps the name of the organization.' },
  });
  objectOf(builder, 'DocumentBuyer', documentBuyer, {
    description: 'Who buys. Of an issued document as it was then, of a draft as it is now.',
  });
  objectOf(builder, 'CreditedDocument', credited, {
    description:
      'The document that a credit takes back, and how much all credits of it take back together; of that document itself too.',
  });
  objectOf(builder, 'CreditOfDocument', creditsOf.element, {
    description: 'A credit of a document, which is not void.',
  });
  inputOf(builder, 'DocumentLineInput', draftLine, {
    members: {
      quantity: 'A decimal above zero, up to six digits after the point.',
      unitPrice: 'A decimal, up to six digits after the point.',
      account: 'Code or id.',
    },
  });
  enumOf(builder, 'DocumentKind', documentKind);
  inputOf(builder, 'DocumentInput', draft, {
    members: {
      issueDate: 'YYYY-MM-DD',
      dueDate: 'Default: the issue date plus the terms of the party.',
      currency: 'Default: the currency of the party.',
      supplierNumber: 'The supplier’s own number of the bill. No other bill of the supplier may have it.',
      credits: 'Only for a credit: the document that it credits.',
    },
  });
  return objectOf(builder, 'Document', document.answer, {
    description: 'An invoice, a credit note, a bill or a supplier credit.',
    members: {
      version: 'Send it with a change to refuse the change if somebody else changed the document.',
      number: 'Numbers have no gaps and are never reused. null for a draft.',
      creditedBy: { description: 'The newest 50 credits of it.', extensions: weigh({ size: 2 }) },
      open: 'The amount left to pay, or of a credit the amount left to use.',
      lines: { extensions: weigh({ size: 8 }) },
      taxes: { extensions: weigh({ size: 2 }) },
      seller: 'null for what suppliers send.',
      buyer: 'null for what suppliers send.',
    },
    fields: (t) => ({
      party: t.field(ofParty(builder)),
      attachments: t.field(attached(builder)),
    }),
  });
}
