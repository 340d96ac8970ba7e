import { isAsItWas } from '@steward/access';
import { counted } from '@steward/kernel';
import { nothingChanges, tool, toolOf, type Tool, under } from '@steward/tools';
import { z } from 'zod';
import { writes } from '../operations.ts';
import { attach } from './attach.ts';
import { fileInput, readContent } from './content.ts';
import { listAttachments } from './read.ts';

export const attachmentTools: readonly Tool[] = [
  tool({
    ...writes,
    area: 'sales',
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    name: 'service_attach_file',
    title: 'Attach a file',
    description:
      'Attaches a file, such as a receipt or statement, to an entry, document, payment or bank line. The audit log records the hash of its content. Up to about 650 kB; send larger files to POST /api/attachments.',
    input: fileInput,
    output: z.object({ attachment: attach.answer }),
    run: async ({ context, preview }, { contentBase64, ...input }) => {
      const attached = await attach(context, { ...input, content: readContent(contentBase64) });
      const data = { attachment: attached };
      const file = `${attached.fileName} (${counted(attached.bytes, 'byte')})`;
      const to = `the ${attached.targetKind.replace('_', ' ')}`;
      if (isAsItWas(attached)) return { ...nothingChanges(`${file} is attached to ${to}.`), data };
      return { summary: preview ? `Would attach ${file} to ${to}.` : `${file} is attached to ${to}.`, data };
    },
  }),
  toolOf(listAttachments, {
    core: false,
    title: 'List attachments',
    description: 'Lists the files that are attached to an entry, document, payment or bank line.',
    shows: under('attachments', listAttachments.answer),
    say: (found) => `${counted(found.length, 'file')}.`,
  }),
];
