import { route, type Guard, type Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { fail } from '@steward/kernel';
import { z } from 'zod';
import type { SellerPorts } from '../seller/seller.ts';
import { getDocument } from './get.ts';
import { natures } from './kind.ts';
import { inTurn, renderPdf } from './pdf/render.ts';

export const documentRoutes = (guard: Guard<Admitted>, { organizationName }: SellerPorts): Route[] => [
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
    errors: ['not_found', 'pdf_too_long'],
    handle: async ({ guard: { context }, params, request }) => {
      const { name, bytes } = await inTurn(context.tenant, request.signal, async () => {
        const document = await getDocument(context, { id: params.invoiceId });
        const { side, title } = natures[document.kind];
        if (side !== 'receivable')
          throw fail(
            'not_found',
            `A ${title.toLowerCase()} has no PDF here, because its supplier wrote it: list its attachments for the supplier's ` +
              'file.',
          );
        return {
          name: document.number ?? `draft-${document.id}`,
          bytes: await renderPdf(
            { document, seller: document.seller?.name ?? (await organizationName(context)) },
            request.signal,
          ),
        };
      });
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
