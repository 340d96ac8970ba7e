import { type Guard, type Route, route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { fail } from '@steward/kernel';
import { z } from 'zod';
import { attach } from './attach.ts';
import { mediaTypes, mostBytes, targetKinds } from './attachment.ts';
import { listAttachments, readAttachment } from './read.ts';
import { removeAttachment } from './remove.ts';

const attachment = z.object({
  id: z.uuid(),
  targetKind: z.enum(targetKinds),
  targetId: z.uuid(),
  fileName: z.string(),
  mediaType: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  attachedAt: z.iso.datetime(),
});
const byId = z.strictObject({ attachmentId: z.uuid() });

export const attachmentRoutes = (guard: Guard<Admitted>): Route[] => [
  route<Admitted, undefined, { targetKind: (typeof targetKinds)[number]; targetId: string; fileName: string }, Buffer>({
    method: 'POST',
    path: '/api/attachments',
    does: 'service_attach_file',
    summary: 'Attach a file',
    description: 'The body is the file itself. It is bound by the hash of its content, which the audit log keeps.',
    tag: 'Attachments',
    guard,
    query: z.strictObject({
      targetKind: z.enum(targetKinds),
      targetId: z.uuid(),
      fileName: z.string().min(1).max(255),
    }),
    upload: { types: mediaTypes, mostBytes },
    answers: { 201: { description: 'The attachment.', schema: attachment } },
    errors: ['not_found', 'insufficient_role'],
    handle: async ({ guard: { context }, query, body, request }) => {
      if (!Buffer.isBuffer(body) || body.length === 0)
        throw fail('invalid_request', 'The body is the file: it may not be empty.');
      const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
      return {
        status: 201,
        body: await attach(context, { ...query, mediaType, content: body }),
      };
    },
  }),
  route({
    method: 'GET',
    path: '/api/attachments',
    does: 'service_list_attachments',
    summary: 'List the files of an entry, document, payment or bank line',
    tag: 'Attachments',
    guard,
    query: z.strictObject({ targetId: z.uuid() }),
    answers: {
      200: {
        description: 'All of them.',
        schema: z.object({ items: z.array(attachment), nextCursor: z.null() }),
      },
    },
    handle: async ({ guard: { context }, query }) => ({
      status: 200,
      body: { items: await listAttachments(context, query.targetId), nextCursor: null },
    }),
  }),
  route({
    method: 'GET',
    path: '/api/attachments/:attachmentId/content',
    does: 'service_list_attachments',
    summary: 'Download a file',
    tag: 'Attachments',
    guard,
    params: byId,
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
  route({
    method: 'DELETE',
    path: '/api/attachments/:attachmentId',
    does: 'service_attach_file',
    summary: 'Take a file away',
    tag: 'Attachments',
    guard,
    params: byId,
    answers: { 204: { description: 'Taken away; its hash stays in the audit log.' } },
    errors: ['not_found', 'insufficient_role'],
    handle: async ({ guard: { context }, params }) => {
      await removeAttachment(context, params.attachmentId);
      return { status: 204 };
    },
  }),
];

async function* one(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}
