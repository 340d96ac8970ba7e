import type { Row } from '@steward/sql';

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

export interface Attachment {
  readonly id: string;
  readonly targetKind: TargetKind;
  readonly targetId: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: number;
  /** Of the content, lower-case hex; it stands in the audit log too. */
  readonly sha256: string;
  readonly attachedAt: string;
}

export const presentAttachment = (row: Row): Attachment => ({
  id: String(row['attachment_id']),
  targetKind: row['target_kind'] as TargetKind,
  targetId: String(row['target_id']),
  fileName: String(row['file_name']),
  mediaType: String(row['media_type']),
  bytes: Number(row['bytes']),
  sha256: String(row['sha256']),
  attachedAt: (row['attached_at'] as Date).toISOString(),
});
