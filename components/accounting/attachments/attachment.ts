import { count, field, id, type Of, oneOf, shape, text } from '@steward/contract';
import { z } from 'zod';

export const targetKinds = ['entry', 'document', 'payment', 'bank_line'] as const;
export type TargetKind = (typeof targetKinds)[number];

/** What may be attached; everything is handed out as a download, never shown by us. */
export const mediaTypes = [
  'application/pdf',
  'application/xml',
  'application/json',
  'application/octet-stream',
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/heic',
  'text/csv',
  'text/plain',
  'text/xml',
] as const;

/** Bytes of one file at most. */
export const mostBytes = 10_485_760;

/** A file that proves something: of `accounting.attachment` named `a`. */
export const attachment = shape('a', {
  id: id('a.attachment_id'),
  targetKind: oneOf(targetKinds),
  targetId: id(),
  fileName: text(),
  mediaType: text(),
  bytes: count(),
  /** Of the content, lower-case hex; the audit log has it too. */
  sha256: text(),
  attachedAt: field(z.iso.datetime(), undefined, (value) => (value as Date).toISOString()),
});
export type Attachment = Of<typeof attachment>;
