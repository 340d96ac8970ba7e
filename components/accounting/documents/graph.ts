import type { GraphModule } from '@steward/graphql';
import { doing, taking } from '@steward/graphql/field';
import { z } from 'zod';
import { pageType } from '../page-type.ts';
import { createDocument } from './create.ts';
import { getDocument } from './get.ts';
import { documentTypes } from './graph-types.ts';
import { documentKind } from './kind.ts';
import { draft } from './input.ts';
import { issueDocument } from './issue.ts';
import { listDocuments } from './list.ts';
import { callerKey } from '../subledger/key.ts';
import type { SellerPorts } from '../seller/seller.ts';
import { updateDocument } from './update.ts';
import { voidDocument } from './void.ts';

/** Invoices, bills and their credits in the GraphQL API. */
export const documentGraph =
  (ports: SellerPorts): GraphModule =>
  (builder) => {
    const document = documentTypes(builder);
    const page = pageType(builder, 'DocumentPage', document);
    builder.queryFields((t) => ({
      document: t.field({
        extensions: doing('service_get_document'),
        type: document,
        ...taking(builder, getDocument.input, async (args, { tenant }) => getDocument(tenant, args)),
      }),
      documents: t.field({
        extensions: doing('service_list_documents'),
        type: page,
        description: 'The latest draft first. Status `paid`: issued, with no open amount.',
        ...taking(
          builder,
          listDocuments.input,
          async (args, { tenant }) => listDocuments(tenant, { ...args, lines: true }),
          {
            without: ['lines'],
            members: { from: 'Issue date, inclusive.', to: 'Issue date, inclusive.', cursor: { type: 'String' } },
          },
        ),
      }),
    }));
    builder.mutationFields((t) => ({
      createDocument: t.field({
        type: document,
        extensions: doing(({ kind: one }: { readonly kind: keyof typeof draftTools }) => draftTools[one]),
        description: 'Drafts a document. Nothing is posted until it is issued.',
        ...taking(
          builder,
          z.strictObject({ kind: documentKind, input: draft, idempotencyKey: callerKey }),
          async ({ input, ...others }, { tenant }) => createDocument(tenant, { ...input, ...others }),
          { members: { idempotencyKey: 'A repeat with the same key and content answers the same draft.' } },
        ),
      }),
      updateDocument: t.field({
        type: document,
        extensions: doing('service_update_document'),
        description: 'Replaces the whole content of a draft.',
        ...taking(
          builder,
          updateDocument.input.pick({ id: true, version: true }).extend({ input: draft }),
          async ({ input, ...which }, { tenant }) => updateDocument(tenant, { ...input, ...which }),
        ),
      }),
      issueDocument: t.field({
        type: document,
        extensions: doing('service_issue_document'),
        description: 'Gives a draft its number and posts it.',
        ...taking(
          builder,
          issueDocument.input,
          async (args, { tenant }) => (await issueDocument(tenant, args, ports)).document,
        ),
      }),
      voidDocument: t.field({
        type: document,
        extensions: doing('service_void_document'),
        description: 'Discards a draft, or undoes an issued document on a day. Fails if anything is allocated to it.',
        ...taking(builder, voidDocument.input, async (args, { tenant }) => (await voidDocument(tenant, args)).document),
      }),
    }));
  };

const draftTools = {
  invoice: 'service_create_invoice',
  credit_note: 'service_create_invoice',
  bill: 'service_create_bill',
  supplier_credit: 'service_create_bill',
} as const;
