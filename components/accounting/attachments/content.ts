import { z } from 'zod';
import { invalidAt } from '../errors.ts';
import { attach } from './attach.ts';
import { mediaTypes } from './attachment.ts';

/** A file where a call is JSON. */
export const fileInput = attach.input.omit({ content: true }).extend({
  mediaType: z.enum(mediaTypes).meta({ description: 'What the file is.' }),
  contentBase64: z.string().min(1).max(900_000).meta({ description: 'The file, base64 (RFC 4648 §4).' }),
});

/** A file from base64 with padding (RFC 4648 §4), white space ignored. @throws Problem `invalid_request` (400) */
export function readContent(base64: string): Buffer {
  const content = Buffer.from(base64, 'base64');
  if (content.length === 0 || content.toString('base64') !== base64.replace(/\s/g, ''))
    throw invalidAt('/contentBase64', 'The content is not base64 with padding (RFC 4648 §4): encode the file again.');
  return content;
}
