import { route, type Guard, type Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { fail } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { z } from 'zod';
import { getDocument } from './get.ts';
import { natures } from './kind.ts';
import { renderPdf } from './pdf/render.ts';

export interface DocumentPorts {
  /** The name at the head of an invoice. */
  readonly organizationName: (context: TenantContext) => Promise<string>;
}

export const documentRoutes = (guard: Guard<Admitted>, { organizationName }: DocumentPorts): Route[] => [
  route({
    method: 'GET',
    path: '/api/invoices/:invoiceId/pdf',
    does: 'service_get_document',
    summary: 'Read an invoice or credit note as PDF',
    description: 'The same document always answers the same bytes. Drafts and voided documents are marked as such.',
    tag: 'Invoices',
    guard,
    params: z.strictObject({ invoiceId: z.uuid() }),
    answers: { 200: { description: 'The document.', types: ['application/pdf'] } },
    errors: ['not_found'],
    handle: async ({ guard: { context }, params }) => {
      const document = await getDocument(context, { id: params.invoiceId });
      const { side, title } = natures[document.kind];
      if (side !== 'receivable')
        throw fail(
          'not_found',
          `A ${title.toLowerCase()} has no PDF here, because its supplier wrote it: list its attachments for the supplier's ` +
            'file.',
        );
      const bytes = await renderPdf({ document, seller: await organizationName(context) });
      const name = document.number ?? `draft-${document.id}`;
      return {
        status: 200,
        stream: (async function* () {
          yield bytes;
        })(),
        type: 'application/pdf',
        headers: {
          'content-disposition': `inline; filename="${name}.pdf"`,
          'content-length': String(bytes.length),
          'cache-control': 'private, no-cache',
        },
      };
    },
  }),
];
