import { csvRow } from '@steward/contract';
import { sql, type TenantContext } from '@steward/sql';
import { readSubmissions } from '../permissions.ts';
import { valueOf } from './check.ts';
import { listSubmissions, type SubmissionFilter } from './list.ts';
import type { StoredSubmission } from './submission.ts';

const own = ['submission_id', 'submitted_at', 'form_version', 'mode', 'contact_id'] as const;
const mostColumns = 500;
const pageSize = 200;

/**
 * All that was submitted to a form as CSV (RFC 4180), newest first, a page at a time: what the platform says, then a column
 * for each name that was ever sent, up to 500, whatever version asked for it. Cells that a spreadsheet would run are made
 * text. That somebody took it along is recorded before the first row leaves.
 */
export async function exportSubmissions(
  context: TenantContext,
  formId: string,
  filter: SubmissionFilter,
): Promise<AsyncGenerator<string>> {
  const names = await context.require(readSubmissions).write(async (tx) => {
    const rows = await tx.query<{ name: string }>(sql`
      select distinct name collate "C" as name from commerce.submission, json_object_keys(data::json) as name
      where tenant_id = ${context.tenant}::uuid and form_id = ${formId}::uuid order by 1 limit ${mostColumns}::int`);
    tx.record({
      type: 'commerce.submissions.exported',
      eventVersion: '1.0.0',
      grammar: 'commerce',
      source: 'commerce',
      payload: { form_id: formId },
    });
    return rows.map(({ name }) => name);
  });
  return lines(context, formId, filter, names);
}

async function* lines(
  context: TenantContext,
  formId: string,
  filter: SubmissionFilter,
  names: readonly string[],
): AsyncGenerator<string> {
  yield csvRow([...own, ...names.map((name) => `data.${name}`)]);
  let after: string | undefined;
  do {
    const page = await listSubmissions(context, formId, filter, { limit: pageSize, after });
    yield page.items.map((one) => csvRow(cells(one, names))).join('');
    after = page.nextCursor ?? undefined;
  } while (after !== undefined);
}

const cells = (one: StoredSubmission, names: readonly string[]): (string | null)[] => [
  one.submissionId,
  one.createdAt,
  String(one.formVersion),
  one.mode,
  one.contactId ?? null,
  ...names.map((name) => cell(valueOf(one.data, name))),
];

function cell(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
