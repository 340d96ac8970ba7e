import { counted } from '@steward/kernel';
import { keepBooks, readBooks } from '../permissions.ts';
import { tool, type Tool } from '@steward/tools';
import { z } from 'zod';
import { attach } from './attach.ts';
import { type Attachment, mediaTypes, targetKinds } from './attachment.ts';
import { readContent } from './content.ts';
import { listAttachments } from './read.ts';

const attachment = z.object({
  id: z.string(),
  target_kind: z.enum(targetKinds),
  target_id: z.string(),
  file_name: z.string(),
  media_type: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  attached_at: z.string(),
});
const snake = (from: Attachment): z.infer<typeof attachment> => ({
  id: from.id,
  target_kind: from.targetKind,
  target_id: from.targetId,
  file_name: from.fileName,
  media_type: from.mediaType,
  bytes: from.bytes,
  sha256: from.sha256,
  attached_at: from.attachedAt,
});
const ground = {
  pillar: 'accounting',
  area: 'sales',
  core: false,
  surfaces: ['public', 'internal'],
  personas: [],
} as const;

export const attachmentTools: readonly Tool[] = [
  tool({
    ...ground,
    kind: 'command',
    tier: 'write',
    annotations: { destructiveHint: false, idempotentHint: true },
    requires: keepBooks,
    name: 'service_attach_file',
    title: 'Attach a file',
    description:
      'Binds a receipt or statement to an entry, document, payment or bank line by the hash of its content. Up to about ' +
      '650 kB; larger files go to POST /api/attachments.',
    input: z.strictObject({
      target_kind: z.enum(targetKinds),
      target_id: z.uuid(),
      file_name: z.string().min(1).max(255),
      media_type: z.enum(mediaTypes),
      content_base64: z.string().min(1).max(900_000).meta({ description: 'The file, base64 (RFC 4648 §4).' }),
    }),
    output: z.object({ attachment }),
    run: async (call, input) => {
      const content = readContent(input.content_base64);
      const made = await attach(call.context, {
        targetKind: input.target_kind,
        targetId: input.target_id,
        fileName: input.file_name,
        mediaType: input.media_type,
        content,
      });
      return {
        summary: call.preview
          ? `Would attach ${made.fileName} (${made.bytes} bytes).`
          : `${made.fileName} is attached (${made.bytes} bytes).`,
        data: { attachment: snake(made) },
      };
    },
  }),
  tool({
    ...ground,
    kind: 'query',
    tier: 'read',
    annotations: { idempotentHint: true },
    requires: readBooks,
    name: 'service_list_attachments',
    title: 'List attachments',
    description: 'Lists the files of an entry, document, payment or bank line.',
    input: z.strictObject({ target_id: z.uuid() }),
    output: z.object({ attachments: z.array(attachment) }),
    run: async (call, { target_id }) => {
      const found = await listAttachments(call.context, target_id);
      return { summary: `${counted(found.length, 'file')}.`, data: { attachments: found.map(snake) } };
    },
  }),
];
