import type { GraphModule } from '@steward/graphql';
import { doing } from '@steward/graphql/field';
import { idArgument, optionalId, pageArguments, textArgument } from '../graph-arguments.ts';
import { day } from '../journal/graph.ts';
import { pageType } from '../page-type.ts';
import { createDocument } from './create.ts';
import { getDocument } from './get.ts';
import { documentTypes } from './graph-types.ts';
import type { DocumentInput } from './input.ts';
import { issueDocument } from './issue.ts';
import { listDocuments } from './list.ts';
import { updateDocument } from './update.ts';
import { voidDocument } from './void.ts';

/** Invoices, bills and their credits in the GraphQL API. */
export const documentGraph: GraphModule = (builder) => {
  const { document, kind, status, input } = documentTypes(builder);
  const page = pageType(builder, 'DocumentPage', document);
  builder.queryFields((t) => ({
    document: t.field({
      extensions: doing('service_get_document'),
      type: document,
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_root, { id }, { tenant }) => getDocument(tenant, idArgument(id)),
    }),
    documents: t.field({
      extensions: doing('service_list_documents'),
      type: page,
      description: 'The latest drafted first. `paid` is issued with nothing open.',
      args: {
        kind: t.arg({ type: kind }),
        status: t.arg({ type: status }),
        partyId: t.arg.id(),
        from: t.arg.string({ description: 'Issue date, inclusive.' }),
        to: t.arg.string({ description: 'Issue date, inclusive.' }),
        supplierNumber: t.arg.string(),
        limit: t.arg.int({ defaultValue: 50 }),
        cursor: t.arg.string(),
      },
      resolve: async (_root, args, { tenant }) =>
        listDocuments(
          tenant,
          {
            kind: args.kind ?? undefined,
            status: args.status ?? undefined,
            partyId: optionalId(args.partyId),
            from: day(args.from),
            to: day(args.to),
            supplierNumber: textArgument(args.supplierNumber),
          },
          pageArguments(args, 'id'),
        ),
    }),
  }));
  builder.mutationFields((t) => ({
    createDocument: t.field({
      type: document,
      extensions: doing(({ kind: one }: { readonly kind: keyof typeof draftTools }) => draftTools[one]),
      description: 'Drafts a document. It is in no account until it is issued.',
      args: {
        kind: t.arg({ type: kind, required: true }),
        input: t.arg({ type: input, required: true }),
        idempotencyKey: t.arg.string({
          description: 'The same key and content again answers with what was drafted.',
        }),
      },
      resolve: async (_root, args, { tenant }) =>
        createDocument(tenant, {
          kind: args.kind,
          ...documentInput(args.input),
          idempotencyKey: textArgument(args.idempotencyKey),
        }),
    }),
    updateDocument: t.field({
      type: document,
      extensions: doing('service_update_document'),
      description: 'Says a draft anew, all of it.',
      args: {
        id: t.arg.id({ required: true }),
        version: t.arg.int(),
        input: t.arg({ type: input, required: true }),
      },
      resolve: async (_root, args, { tenant }) =>
        updateDocument(tenant, idArgument(args.id), documentInput(args.input), args.version ?? undefined),
    }),
    issueDocument: t.field({
      type: document,
      extensions: doing('service_issue_document'),
      description: 'Numbers a draft and posts it.',
      args: { id: t.arg.id({ required: true }), version: t.arg.int() },
      resolve: async (_root, { id, version }, { tenant }) =>
        (
          await issueDocument(tenant, {
            id: idArgument(id),
            version: version ?? undefined,
          })
        ).document,
    }),
    voidDocument: t.field({
      type: document,
      extensions: doing('service_void_document'),
      description: 'Discards a draft, or undoes an issued document on a day. Nothing may be allocated to it.',
      args: { id: t.arg.id({ required: true }), date: t.arg.string(), version: t.arg.int() },
      resolve: async (_root, { id, date, version }, { tenant }) =>
        (
          await voidDocument(tenant, {
            id: idArgument(id),
            date: day(date),
            version: version ?? undefined,
          })
        ).document,
    }),
  }));
};

const draftTools = {
  invoice: 'service_create_invoice',
  credit_note: 'service_create_invoice',
  bill: 'service_create_bill',
  supplier_credit: 'service_create_bill',
} as const;

type Given<T> = { readonly [K in keyof T]: T[K] | null };

function documentInput(
  given: Given<Omit<DocumentInput, 'lines' | 'partyId' | 'issueDate'>> & {
    readonly partyId: string;
    readonly issueDate: string;
    readonly lines: readonly {
      readonly description: string;
      readonly quantity?: string | null | undefined;
      readonly unitPrice: string;
      readonly account: string;
      readonly taxId?: string | null | undefined;
    }[];
  },
): DocumentInput {
  return {
    partyId: idArgument(given.partyId),
    issueDate: day(given.issueDate) ?? '',
    dueDate: day(given.dueDate),
    currency: given.currency ?? undefined,
    pricing: given.pricing ?? undefined,
    supplierNumber: given.supplierNumber ?? undefined,
    reference: given.reference ?? undefined,
    notes: given.notes ?? undefined,
    credits: optionalId(given.credits),
    lines: given.lines.map(({ description, quantity, unitPrice, account, taxId }) => ({
      description,
      quantity: quantity ?? '1',
      unitPrice,
      account,
      taxId: optionalId(taxId),
    })),
  };
}
