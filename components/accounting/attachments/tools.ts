import { counted } from '@steward/kernel';
import { toolOf, type Tool, under } from '@steward/tools';
import { attach } from './attach.ts';
import { fileInput, readContent } from './content.ts';
import { listAttachments } from './read.ts';

export const attachmentTools: readonly Tool[] = [
  toolOf(attach, {
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Attach a file',
    description:
      'Attaches a file, such as a receipt or statement, to an entry, document, payment or bank line. The audit log records the hash of its content. Up to about 650 kB; send larger files to POST /api/attachments.',
    asks: {
      schema: fileInput,
      of: ({ contentBase64, ...file }) => ({ ...file, content: readContent(contentBase64) }),
    },
    shows: under('attachment', attach.answer),
    say: ({ fileName, bytes, targetKind }, preview) => {
      const [file, to] = [`${fileName} (${counted(bytes, 'byte')})`, `the ${targetKind.replace('_', ' ')}`];
      return preview ? `Would attach ${file} to ${to}.` : `${file} is attached to ${to}.`;
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
