import { counted } from '@steward/kernel';
import { toolOf, type Tool, under } from '@steward/tools';
import { z } from 'zod';
import { posting } from '../journal/traits.ts';
import { asking, farInWords } from '../money/far.ts';
import { createBill, createInvoice } from './create.ts';
import { document, type Document } from './document.ts';
import { getDocument } from './get.ts';
import { issueDocument } from './issue.ts';
import { natures } from './kind.ts';
import { listDocuments } from './list.ts';
import { updateDocument } from './update.ts';
import { voidDocument } from './void.ts';

const shows = under('document', document.answer);
const named = { takes: { id: 'documentId' }, shows } as const;
/** Beside the document, what issuing or voiding it did to the books is for approvers. */
const issued = {
  ...posting,
  takes: { id: 'documentId' },
  shows: { schema: shows.schema, of: ({ document: one }: { readonly document: Document }) => ({ document: one }) },
} as const;
const far = ({ issueDate, dueDate }: Document): string | undefined =>
  farInWords({ 'issue date': issueDate, 'due date': dueDate });
const drafting = { core: true, annotations: { destructiveHint: false }, shows, warn: far } as const;

const called = ({ kind, number, total, partyName, status }: Document): string =>
  `${natures[kind].title}${number === null ? '' : ` ${number}`} over ${total.amount} ${total.currency}, ${partyName}, ${status}.`;
/** Without a number where it is given only then. */
const would = (verb: string, { kind, number, total, partyName }: Document, fixed = false): string =>
  `Would ${verb} ${natures[kind].title.toLowerCase()} ${fixed && number !== null ? `${number} ` : ''}over ${total.amount} ${total.currency}, ${partyName}.`;

export const documentTools: readonly Tool[] = [
  toolOf(createInvoice, {
    ...drafting,
    title: 'Draft an invoice or credit note',
    description:
      'Drafts a sales invoice, or a credit note for a customer. Nothing is posted until service_issue_document issues it.',
    say: (made, preview) => (preview ? asking(would('draft', made), far(made)) : called(made)),
  }),
  toolOf(createBill, {
    ...drafting,
    title: 'Draft a bill or supplier credit',
    description: 'Drafts a bill or a credit of a supplier. Nothing is posted until service_issue_document issues it.',
    say: (made, preview) => (preview ? asking(would('draft', made), far(made)) : called(made)),
  }),
  toolOf(updateDocument, {
    ...named,
    core: false,
    annotations: { destructiveHint: false },
    title: 'Change a draft',
    description:
      'Replaces the whole content of a draft of an invoice, bill or credit: give all members, not only those that change.',
    warn: far,
    say: (changed, preview) => (preview ? asking(would('change the draft:', changed), far(changed)) : called(changed)),
  }),
  toolOf(issueDocument, {
    ...issued,
    core: true,
    annotations: { destructiveHint: false },
    title: 'Issue an invoice, bill or credit',
    description:
      'Issues a draft: gives it its number and posts it on its issue date. The document cannot change afterwards; void or ' +
      'credit it instead.',
    warn: ({ document: one }) => far(one),
    say: ({ document: one }, preview) => (preview ? asking(would('issue', one), far(one)) : called(one)),
  }),
  toolOf(voidDocument, {
    ...issued,
    core: false,
    annotations: { destructiveHint: true },
    final: true,
    title: 'Void an invoice, bill or credit',
    description:
      'Discards a draft, or undoes an issued document by a reversing entry. Fails if anything is allocated to it. The ' +
      'document keeps its number.',
    say: ({ document: one }, preview) =>
      preview ? would(one.number === null ? 'discard the draft:' : 'void', one, true) : called(one),
  }),
  toolOf(getDocument, {
    ...named,
    core: true,
    title: 'Get an invoice, bill or credit',
    description: 'Reads one invoice, credit note, bill or supplier credit with its lines and open amount.',
    say: called,
  }),
  toolOf(listDocuments, {
    core: true,
    title: 'List invoices, bills and credits',
    description:
      'Lists invoices, credit notes, bills and supplier credits, the latest first. Lines are included only with ' +
      'include_lines. Status `paid`: issued, with no open amount.',
    takes: { lines: 'includeLines' },
    shows: {
      schema: z.object({
        documents: z.array(document.answer.partial({ lines: true, taxes: true })),
        nextCursor: z.string().nullable(),
      }),
      of: ({ items, nextCursor }) => ({
        // A document has lines: where there are none, they were not asked for.
        documents: items.map(({ lines, taxes, ...one }) => (lines.length === 0 ? one : { ...one, lines, taxes })),
        nextCursor,
      }),
    },
    say: ({ items, nextCursor }) =>
      `${counted(items.length, 'document')}.${nextCursor === null ? '' : ' There are more.'}`,
  }),
];
