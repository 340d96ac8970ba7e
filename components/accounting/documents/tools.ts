import { counted } from '@steward/kernel';
import { keepBooks, readBooks } from '../permissions.ts';
import { pageLimit, versionNumber } from '@steward/contract';
import { tool, type Tool } from '@steward/tools';
import { z } from 'zod';
import { forApproval, moving } from '../journal/tools.ts';
import { dayText } from '../money/schema.ts';
import { createDocument } from './create.ts';
import { type Document, documentStatuses } from './document.ts';
import { getDocument } from './get.ts';
import { issueDocument } from './issue.ts';
import { documentKinds, natures } from './kind.ts';
import { listDocuments } from './list.ts';
import { camelDraft, creditedId, documentSchema, draftInput, snakeDocument, supplierNumber } from './schema.ts';
import { updateDocument } from './update.ts';
import { voidDocument } from './void.ts';

const ground = { pillar: 'accounting', area: 'sales', surfaces: ['public', 'internal'], personas: [] } as const;
const read = {
  ...ground,
  kind: 'query',
  tier: 'read',
  annotations: { idempotentHint: true },
  requires: readBooks,
} as const;
const writes = {
  ...ground,
  kind: 'command',
  requires: keepBooks,
} as const;
const drafts = { ...writes, tier: 'write', annotations: { destructiveHint: false } } as const;

const one = z.object({ document: documentSchema });
const documentId = z.uuid().meta({ description: 'From service_list_documents.' });
const version = versionNumber
  .optional()
  .meta({ description: 'The one you have seen: refused if it was changed since.' });

const called = ({ kind, number, total, status }: Document): string =>
  `${natures[kind].title} ${number ?? '(draft)'} over ${total.amount} ${total.currency}, ${status}.`;
/** Without a number where it is given only then. */
const would = (verb: string, { kind, number, total, partyName }: Document, fixed: boolean): string =>
  `Would ${verb} ${natures[kind].title.toLowerCase()} ${fixed && number !== null ? `${number} ` : ''}over ${total.amount} ${total.currency}, ${partyName}.`;
const answer = (document: Document, preview?: string) => ({
  summary: preview ?? called(document),
  data: { document: snakeDocument(document) },
});

export const documentTools: readonly Tool[] = [
  tool({
    ...drafts,
    core: true,
    name: 'service_create_invoice',
    title: 'Draft an invoice or credit note',
    description:
      'Drafts a sales invoice, or a credit note for a customer. A draft is in no account; issue it with service_issue_document.',
    input: z.strictObject({
      kind: z.enum(['invoice', 'credit_note']).default('invoice'),
      credits: creditedId,
      ...draftInput,
    }),
    output: one,
    run: async (call, { kind, ...input }) => {
      const document = await createDocument(call.context, { kind, ...camelDraft(input) });
      return answer(document, call.preview ? would('draft', document, false) : undefined);
    },
  }),
  tool({
    ...drafts,
    core: true,
    name: 'service_create_bill',
    title: 'Draft a bill or supplier credit',
    description:
      'Drafts a bill of a supplier, or a credit of one. A draft is in no account; issue it with service_issue_document.',
    input: z.strictObject({
      kind: z.enum(['bill', 'supplier_credit']).default('bill'),
      supplier_number: supplierNumber,
      credits: creditedId,
      ...draftInput,
    }),
    output: one,
    run: async (call, { kind, ...input }) => {
      const document = await createDocument(call.context, { kind, ...camelDraft(input) });
      return answer(document, call.preview ? would('draft', document, false) : undefined);
    },
  }),
  tool({
    ...drafts,
    core: false,
    name: 'service_update_document',
    title: 'Change a draft',
    description: 'Says a draft of an invoice, bill or credit anew: give all of it, not only what changed.',
    input: z.strictObject({
      document_id: documentId,
      version,
      supplier_number: supplierNumber,
      credits: creditedId,
      ...draftInput,
    }),
    output: one,
    run: async (call, { document_id, version: seen, ...input }) => {
      const document = await updateDocument(call.context, document_id, camelDraft(input), seen);
      return answer(document, call.preview ? would('change the draft:', document, false) : undefined);
    },
  }),
  tool({
    ...writes,
    tier: 'approval',
    annotations: { destructiveHint: false },
    core: true,
    name: 'service_issue_document',
    title: 'Issue an invoice, bill or credit',
    description:
      'Numbers a draft and posts it on its issue date. It is not changed afterwards: it can be voided or credited.',
    input: z.strictObject({ document_id: documentId, version }),
    output: one,
    approval: moving,
    run: async (call, { document_id, version: seen }) => {
      const { document, entries, effects } = await issueDocument(call.context, { id: document_id, version: seen });
      const preview = call.preview ? would('issue', document, false) : undefined;
      return { ...answer(document, preview), ...forApproval({ entries, effects }) };
    },
  }),
  tool({
    ...writes,
    tier: 'approval',
    annotations: { destructiveHint: true },
    final: true,
    core: false,
    name: 'service_void_document',
    title: 'Void an invoice, bill or credit',
    description:
      'Discards a draft, or undoes an issued document by the mirror of its entry. Nothing may be allocated to it; it keeps its number.',
    input: z.strictObject({
      document_id: documentId,
      date: dayText.optional().meta({ description: 'The day it is undone on, in an open month; a draft needs none.' }),
      version,
    }),
    output: one,
    approval: moving,
    run: async (call, { document_id, date, version: seen }) => {
      const done = await voidDocument(call.context, { id: document_id, date, version: seen });
      const preview = call.preview ? would('void', done.document, true) : undefined;
      return { ...answer(done.document, preview), ...forApproval(done) };
    },
  }),
  tool({
    ...read,
    core: true,
    name: 'service_get_document',
    title: 'Get an invoice, bill or credit',
    description: 'Reads one invoice, credit note, bill or supplier credit with its lines and what is open of it.',
    input: z.strictObject({ document_id: documentId }),
    output: one,
    run: async (call, { document_id }) => answer(await getDocument(call.context, document_id)),
  }),
  tool({
    ...read,
    core: true,
    name: 'service_list_documents',
    title: 'List invoices, bills and credits',
    description:
      'Lists invoices, credit notes, bills and supplier credits, the latest first, without their lines unless asked. `paid` is issued with nothing open.',
    input: z.strictObject({
      kind: z.enum(documentKinds).optional(),
      status: z.enum(documentStatuses).optional(),
      party_id: z.uuid().optional(),
      from: dayText.optional(),
      to: dayText.optional(),
      supplier_number: supplierNumber,
      include_lines: z.boolean().default(false).meta({ description: 'With lines and taxes.' }),
      limit: pageLimit,
      cursor: z.uuid().optional(),
    }),
    output: z.object({
      documents: z.array(documentSchema.partial({ lines: true, taxes: true })),
      next_cursor: z.string().nullable(),
    }),
    run: async (call, { party_id, supplier_number, include_lines, limit, cursor, ...filter }) => {
      const wanted = { ...filter, partyId: party_id, supplierNumber: supplier_number };
      const page = await listDocuments(call.context, wanted, { limit, cursor, lines: include_lines });
      return {
        summary: `${counted(page.items.length, 'document')}.${page.nextCursor === null ? '' : ' There are more.'}`,
        data: {
          documents: page.items.map(snakeDocument).map(({ lines, taxes, ...document }) => ({
            ...document,
            ...(include_lines ? { lines, taxes } : {}),
          })),
          next_cursor: page.nextCursor,
        },
      };
    },
  }),
];
