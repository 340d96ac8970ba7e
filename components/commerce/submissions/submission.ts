import { timeOfId } from '@steward/kernel';
import type { Row } from '@steward/sql';
import type { SiteKey } from '@steward/studio';
import type { Data } from './body.ts';

export interface Submission {
  readonly submissionId: string;
  readonly siteId: string;
  readonly formId: string;
  readonly formVersion: number;
  readonly data: Data;
  readonly contactId?: string;
  /** RFC 3339, UTC, milliseconds: the time in the id. */
  readonly createdAt: string;
}

/** As members see it; visitors' pages are not told of keys. */
export interface StoredSubmission extends Submission {
  readonly keyId: string;
  readonly mode: SiteKey['mode'];
  /** RFC 3339; `data` is empty since. */
  readonly erasedAt?: string;
  /** The submission with the same values, to the same form with the same key, less than ten minutes before. */
  readonly possibleDuplicateOf?: string;
}

/** The least UUIDv7 of a moment, to compare ids with. */
export function firstIdAt(time: string): string {
  const hex = Math.max(0, Date.parse(time)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

export function presentSubmission(row: Row): StoredSubmission {
  const id = String(row['submission_id']);
  const contactId = row['contact_id'] as string | null;
  const erasedAt = row['erased_at'] as Date | null;
  const repeats = (row['repeats'] ?? null) as string | null;
  return {
    submissionId: id,
    siteId: String(row['site_id']),
    formId: String(row['form_id']),
    formVersion: Number(row['form_version']),
    data: JSON.parse(String(row['data'])) as Data,
    ...(contactId === null ? {} : { contactId }),
    createdAt: timeOfId(id),
    keyId: String(row['key_id']),
    mode: row['mode'] as SiteKey['mode'],
    ...(erasedAt === null ? {} : { erasedAt: erasedAt.toISOString() }),
    ...(repeats === null ? {} : { possibleDuplicateOf: repeats }),
  };
}
