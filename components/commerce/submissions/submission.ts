import { count, type Field, field, type Fixed, id, moment, oneOf, type Of, shape } from '@steward/contract';
import { timeOfId } from '@steward/kernel';
import { z } from 'zod';
import type { Data } from './body.ts';

/** Left out where its column is null. */
const optional = <S extends z.ZodType>({ schema, sql, read }: Field<S>): Field<z.ZodOptional<S>> => ({
  schema: schema.optional(),
  sql,
  read: (value, row) => (value === null ? undefined : read(value, row)) as z.output<z.ZodOptional<S>>,
});

/** As members see it: of `commerce.submission` named `s`. */
export const submission = shape('s', {
  submissionId: id(),
  siteId: id(),
  formId: id(),
  formVersion: count(),
  /** By the names that the page sent; empty once it is erased. */
  data: field(z.record(z.string(), z.unknown()), undefined, (text) => JSON.parse(String(text)) as Data),
  contactId: optional(id()),
  /** RFC 3339, UTC, milliseconds: the time in the id. */
  createdAt: field(z.string(), 's.submission_id', (value) => timeOfId(String(value))),
  keyId: id(),
  mode: oneOf(['live', 'test']),
  erasedAt: optional(moment()),
  /** The submission with the same values, to the same form with the same key, less than ten minutes before. */
  possibleDuplicateOf: optional(
    field(
      z
        .uuid()
        .meta({ description: 'An earlier submission of the last ten minutes with the same values, form and key.' }),
      'commerce.repeated_by(s)',
    ),
  ),
});
export type StoredSubmission = Of<typeof submission>;

/** As visitors' pages see it, without the key. */
export const taken = submission.answer.omit({ keyId: true, mode: true, erasedAt: true, possibleDuplicateOf: true });
export type Submission = Fixed<z.output<typeof taken>>;

/** The least UUIDv7 of a moment, to compare ids with. */
export function firstIdAt(time: string): string {
  const hex = Math.max(0, Date.parse(time)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
