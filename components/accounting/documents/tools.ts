import { counted } from '@steward/kernel';
import { toolOf, type Tool, under } from '@steward/tools';
import { z } from 'zod';
import { posting } from '../journal/traits.ts';
import { asking, farInWords } from '../money/far.ts';
import type { SellerPorts } from '../seller/seller.ts';
import { createBill, createInvoice } from './create.ts';
import { beyondInWords } from './credited.ts';
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
const beware = ({ issueDate, dueDate, credited }: Document): string | undefined => {
  const said = [farInWords({ 'issue date': issueDate, 'due date': dueDate }), beyondInWords(credited)];
  return said.filter((one) => one !== undefined).join(' ') || undefined;
};
/** Also that it would go out without who sells: that cannot be added to what is issued. */
const bewareIssuing = (one: Document): string | undefined => {
  const { seller } = one;
  const missing =
    seller === null || seller.address !== null
      ? undefined
      : 'It would not say where the seller is: set the address, VAT number and payment details with service_update_seller first, as they cannot be added once it is issued.';
  return [beware(one), missing].filter((part) => part !== undefined).join(' ') || undefined;
};
/** Of what is voided while credits of it stay. */
const creditsStay = ({ number, creditedBy }: Document): string | undefined =>
  creditedBy.length === 0 || number === null
    ? undefined
    : `${creditedBy
        .map((one) => one.number ?? 'A draft')
        .slice(0, 5)
        .join(', ')} credits it and stays: void that too, or the same is taken back twice.`;
const drafting = { core: true, annotations: { destructiveHint: false }, shows, warn: beware } as const;

const called = ({ kind, number, total, partyName, status }: Document): string =>
  `${natures[kind].title}${number === null ? '' : ` ${number}`} over ${total.amount} ${total.currency}, ${partyName}, ${status}.`;
/** Without a number where it is given only then. */
const would = (verb: string, { kind, number, total, partyName }: Document, fixed = false): string =>
  `Would ${verb} ${natures[kind].title.toLowerCase()} ${fixed && number !== null ? `${number} ` : ''}over ${total.amount} ${total.currency}, ${partyName}.`;

/** Who sells and buys, and what credits it, is told of one document. */
const listed = document.answer.omit({ seller: true, buyer: true, creditedBy: true });

export const documentTools: readonly Tool<SellerPorts>[] = [
  toolOf(createInvoice, {
    ...drafting,
    title: 'Draft an invoice or credit note',
    description:
      'Drafts a sales invoice, or a credit note for a customer. Nothing is posted until service_issue_document.',
    say: (made, preview) => (preview ? asking(would('draft', made), beware(made)) : called(made)),
  }),
  toolOf(createBill, {
    ...drafting,
    title: 'Draft a bill or supplier credit',
    description: 'Drafts a bill or a credit of a supplier. Nothing is posted until service_issue_document.',
    say: (made, preview) => (preview ? asking(would('draft', made), beware(made)) : called(made)),
  }),
  toolOf(updateDocument, {
    ...named,
    core: false,
    annotations: { destructiveHint: false },
    title: 'Change a draft',
    description:
      'Replaces the whole content of a draft of an invoice, bill or credit: give all members, not only those that change.',
    warn: beware,
    say: (changed, preview) =>
      preview ? asking(would('change the draft:', changed), beware(changed)) : called(changed),
  }),
  toolOf(issueDocument, {
    ...issued,
    core: true,
    annotations: { destructiveHint: false },
    title: 'Issue an invoice, bill or credit',
    description:
      'Issues a draft: gives it its number and posts it on its issue date. It cannot change afterwards; void or credit it.',
    preview: ({ document: { credited, seller, buyer }, ...done }) => ({
      ...posting.preview(done),
      ...(credited === null ? {} : { credited }),
      // They stay in the document.
      ...(seller === null ? {} : { seller, buyer }),
    }),
    warn: ({ document: one }) => bewareIssuing(one),
    say: ({ document: one }, preview) => (preview ? asking(would('issue', one), bewareIssuing(one)) : called(one)),
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
    warn: ({ document: one }) => creditsStay(one),
    say: ({ document: one }, preview) =>
      preview
        ? asking(would(one.number === null ? 'discard the draft:' : 'void', one, true), creditsStay(one))
        : called(one),
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
      'Lists invoices, credit notes, bills and supplier credits, the latest first. Lines only with ' +
      'include_lines. Status `paid`: issued, with no open amount.',
    takes: { lines: 'includeLines' },
    shows: {
      schema: z.object({
        documents: z.array(listed.partial({ lines: true, taxes: true })),
        nextCursor: z.string().nullable(),
      }),
      of: ({ items, nextCursor }) => ({
        // A document has lines: where there are none, they were not asked for.
        documents: items.map(({ lines, taxes, seller: _seller, buyer: _buyer, creditedBy: _by, ...one }) =>
          lines.length === 0 ? one : { ...one, lines, taxes },
        ),
        nextCursor,
      }),
    },
    say: ({ items, nextCursor }) =>
      `${counted(items.length, 'document')}.${nextCursor === null ? '' : ' There are more.'}`,
  }),
];
