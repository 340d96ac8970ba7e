import { restOf } from '@steward/access';
import { type Guard, type Route, route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { fail } from '@steward/kernel';
import { z } from 'zod';
import { attach, type NewAttachment } from './attach.ts';
import { mediaTypes, mostBytes } from './attachment.ts';
import { listAttachments, readAttachment } from './read.ts';
import { removeAttachment } from './remove.ts';

export function attachmentRoutes(guard: Guard<Admitted>): Route[] {
  const rest = restOf({ guard, tag: 'Attachments' });
  return [
    route<Admitted, undefined, Omit<NewAttachment, 'mediaType' | 'content'>, Buffer>({
      method: 'POST',
      path: '/api/attachments',
      does: 'service_attach_file',
      summary: 'Attach a file',
      description: 'The body is the file itself. The audit log records the hash of its content.',
      tag: 'Attachments',
      guard,
      query: attach.input.omit({ mediaType: true, content: true }),
      upload: { types: mediaTypes, mostBytes },
      answers: { 201: { description: 'The attachment.', schema: attach.answer } },
      errors: ['not_found', 'insufficient_role'],
      handle: async ({ guard: { context }, query, body, request }) => {
        if (!Buffer.isBuffer(body) || body.length === 0)
          throw fail('invalid_request', 'The body is empty: send the file as the body.');
        const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
        return {
          status: 201,
          body: await attach(context, { ...query, mediaType, content: body }),
        };
      },
    }),
    rest('GET', '/api/attachments', listAttachments, {
      summary: 'List the files of an entry, document, payment or bank line',
      shows: {
        schema: z.object({ items: listAttachments.answer, nextCursor: z.null() }),
        of: (items) => ({ items, nextCursor: null }),
      },
      answers: { 200: 'All of them.' },
    }),
    route({
      method: 'GET',
      path: '/api/attachments/:attachmentId/content',
      does: 'service_list_attachments',
      summary: 'Download a file',
      tag: 'Attachments',
      guard,
      params: removeAttachment.input,
      answers: { 200: { description: 'The file as it was attached.', types: ['application/octet-stream'] } },
      errors: ['not_found'],
      handle: async ({ guard: { context }, params }) => {
        const { attachment: found, content } = await readAttachment(context, params.attachmentId);
        return {
          status: 200,
          type: found.mediaType,
          headers: {
            'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(found.fileName).replace(/['()*]/g, (mark) => `%${mark.codePointAt(0)?.toString(16).toUpperCase()}`)}`,
            'content-security-policy': "default-src 'none'; sandbox",
            'content-length': String(content.length),
          },
          stream: one(content),
        };
      },
    }),
    rest('DELETE', '/api/attachments/:attachmentId', removeAttachment, {
      does: 'service_attach_file',
      summary: 'Remove a file',
      answers: { 204: 'Removed. Its hash stays in the audit log.' },
      errors: ['insufficient_role'],
    }),
  ];
}

async function* one(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}
