import type { GraphModule } from '@steward/graphql';
import { argsOf, doing } from '@steward/graphql/field';
import { given, pageArguments, textArgument } from '../graph-arguments.ts';
import { pageType } from '../page-type.ts';
import { createDocument } from './create.ts';
import { getDocument } from './get.ts';
import { documentTypes } from './graph-types.ts';
import { draft } from './input.ts';
import { issueDocument } from './issue.ts';
import { listDocuments } from './list.ts';
import { updateDocument } from './update.ts';
import { voidDocument } from './void.ts';

/** Invoices, bills and their credits in the GraphQL API. */
export const documentGraph: GraphModule = (builder) => {
  const { document, kind, input } = documentTypes(builder);
  const page = pageType(builder, 'DocumentPage', document);
  builder.queryFields((t) => ({
    document: t.field({
      extensions: doing('service_get_document'),
      type: document,
      args: argsOf(builder, getDocument.input),
      resolve: async (_root, args, { tenant }) => getDocument(tenant, given(getDocument.input, args)),
    }),
    documents: t.field({
      extensions: doing('service_list_documents'),
      type: page,
      description: 'The latest draft first. Status `paid`: issued, with no open amount.',
      args: {
        ...argsOf(builder, listDocuments.input, {
          without: ['lines', 'cursor'],
          members: { from: 'Issue date, inclusive.', to: 'Issue date, inclusive.' },
        }),
        cursor: t.arg.string(),
      },
      resolve: async (_root, { supplierNumber, limit, cursor, ...filter }, { tenant }) =>
        listDocuments(tenant, {
          ...given(filters, filter),
          supplierNumber: textArgument(supplierNumber),
          lines: true,
          ...pageArguments({ limit, cursor }, 'id'),
        }),
    }),
  }));
  builder.mutationFields((t) => ({
    createDocument: t.field({
      type: document,
      extensions: doing(({ kind: one }: { readonly kind: keyof typeof draftTools }) => draftTools[one]),
      description: 'Drafts a document. Nothing is posted until it is issued.',
      args: {
        kind: t.arg({ type: kind, required: true }),
        input: t.arg({ type: input, required: true }),
        idempotencyKey: t.arg.string({
          description: 'A repeat with the same key and content answers the same draft.',
        }),
      },
      resolve: async (_root, args, { tenant }) =>
        createDocument(tenant, {
          kind: args.kind,
          ...given(draft, args.input),
          idempotencyKey: textArgument(args.idempotencyKey),
        }),
    }),
    updateDocument: t.field({
      type: document,
      extensions: doing('service_update_document'),
      description: 'Replaces the whole content of a draft.',
      args: {
        ...argsOf(builder, updateDocument.input.pick({ id: true, version: true })),
        input: t.arg({ type: input, required: true }),
      },
      resolve: async (_root, { input: content, ...which }, { tenant }) =>
        updateDocument(tenant, given(updateDocument.input, { ...content, ...which })),
    }),
    issueDocument: t.field({
      type: document,
      extensions: doing('service_issue_document'),
      description: 'Gives a draft its number and posts it.',
      args: argsOf(builder, issueDocument.input),
      resolve: async (_root, args, { tenant }) =>
        (await issueDocument(tenant, given(issueDocument.input, args))).document,
    }),
    voidDocument: t.field({
      type: document,
      extensions: doing('service_void_document'),
      description: 'Discards a draft, or undoes an issued document on a day. Fails if anything is allocated to it.',
      args: argsOf(builder, voidDocument.input),
      resolve: async (_root, args, { tenant }) =>
        (await voidDocument(tenant, given(voidDocument.input, args))).document,
    }),
  }));
};

const filters = listDocuments.input.pick({ kind: true, status: true, partyId: true, from: true, to: true });

const draftTools = {
  invoice: 'service_create_invoice',
  credit_note: 'service_create_invoice',
  bill: 'service_create_bill',
  supplier_credit: 'service_create_bill',
} as const;
