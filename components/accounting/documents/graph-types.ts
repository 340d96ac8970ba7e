import type { GraphBuilder } from '@steward/graphql';
import { doing, weigh } from '@steward/graphql/field';
import { attachmentsOf, attachmentType } from '../attachments/graph.ts';
import { partiesById } from '../parties/batch.ts';
import { partyType } from '../parties/graph.ts';
import { moneyType } from '../money/graph.ts';
import { type Document, type DocumentLine, documentStatuses, type TaxTotal } from './document.ts';
import { documentKinds } from './kind.ts';

/** What the GraphQL API shows of documents. */
export function documentTypes(builder: GraphBuilder) {
  const money = moneyType(builder);
  const party = partyType(builder);
  const kind = builder.enumType('DocumentKind', { values: documentKinds });
  const status = builder.enumType('DocumentStatus', { values: documentStatuses });
  const pricing = builder.enumType('Pricing', { values: ['exclusive', 'inclusive'] as const });
  const line = builder.objectRef<DocumentLine>('DocumentLine').implement({
    fields: (t) => ({
      description: t.exposeString('description'),
      quantity: t.exposeString('quantity'),
      unitPrice: t.exposeString('unitPrice'),
      accountId: t.exposeID('accountId'),
      taxId: t.exposeID('taxId', { nullable: true }),
      percentage: t.exposeString('percentage', { nullable: true }),
      net: t.expose('net', { type: money }),
      tax: t.expose('tax', { type: money }),
    }),
  });
  const taxTotal = builder.objectRef<TaxTotal>('TaxTotal').implement({
    description: 'The lines of one tax, summed.',
    fields: (t) => ({
      taxId: t.exposeID('taxId'),
      name: t.exposeString('name'),
      percentage: t.exposeString('percentage'),
      net: t.expose('net', { type: money }),
      tax: t.expose('tax', { type: money }),
    }),
  });
  const document = builder.objectRef<Document>('Document').implement({
    description: 'An invoice, a credit note, a bill or a credit of a supplier.',
    fields: (t) => ({
      id: t.exposeID('id'),
      kind: t.expose('kind', { type: kind }),
      status: t.expose('status', { type: status }),
      version: t.exposeInt('version', { description: 'Send it back to change or issue only what you saw.' }),
      number: t.exposeString('number', { nullable: true, description: 'Without holes or reuse; null for a draft.' }),
      partyId: t.exposeID('partyId'),
      partyName: t.exposeString('partyName'),
      party: t.field({
        type: party,
        nullable: true,
        extensions: doing('service_get_party'),
        resolve: async ({ partyId }, _args, context) => context.load(partiesById, partyId),
      }),
      currency: t.exposeString('currency'),
      issueDate: t.exposeString('issueDate'),
      dueDate: t.exposeString('dueDate'),
      pricing: t.expose('pricing', { type: pricing }),
      supplierNumber: t.exposeString('supplierNumber', { nullable: true }),
      reference: t.exposeString('reference', { nullable: true }),
      notes: t.exposeString('notes', { nullable: true }),
      credits: t.exposeID('credits', { nullable: true }),
      lines: t.expose('lines', { type: [line], extensions: weigh({ size: 8 }) }),
      taxes: t.expose('taxes', { type: [taxTotal], extensions: weigh({ size: 2 }) }),
      net: t.expose('net', { type: money }),
      tax: t.expose('tax', { type: money }),
      total: t.expose('total', { type: money }),
      open: t.expose('open', {
        type: money,
        nullable: true,
        description: 'What is left to pay, or of a credit to use.',
      }),
      rate: t.exposeString('rate', { nullable: true }),
      baseTotal: t.expose('baseTotal', { type: money, nullable: true }),
      entryId: t.exposeID('entryId', { nullable: true }),
      attachments: t.field({
        type: [attachmentType(builder).type],
        extensions: { ...weigh({ size: 2 }), ...doing('service_list_attachments') },
        resolve: async (one, _args, context) => attachmentsOf(one, context),
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      issuedAt: t.expose('issuedAt', { type: 'DateTime', nullable: true }),
    }),
  });
  const lineInput = builder.inputType('DocumentLineInput', {
    fields: (t) => ({
      description: t.string({ required: true }),
      quantity: t.string({
        defaultValue: '1',
        description: 'A decimal above zero, up to six digits behind the point.',
      }),
      unitPrice: t.string({ required: true, description: 'A decimal, up to six digits behind the point.' }),
      account: t.string({ required: true, description: 'Code or id.' }),
      taxId: t.id(),
    }),
  });
  const input = builder.inputType('DocumentInput', {
    fields: (t) => ({
      partyId: t.id({ required: true }),
      issueDate: t.string({ required: true, description: 'YYYY-MM-DD' }),
      dueDate: t.string({ description: 'The terms of the party after the issue date where none is given.' }),
      currency: t.string({ description: 'The currency of the party where none is given.' }),
      pricing: t.field({ type: pricing }),
      supplierNumber: t.string({ description: 'The number a supplier gave a bill; each comes once.' }),
      reference: t.string(),
      notes: t.string(),
      credits: t.id({ description: 'The document that a credit takes back.' }),
      lines: t.field({ type: [lineInput], required: true }),
    }),
  });
  return { document, kind, status, input };
}
