import { heavily } from '@steward/access';
import { csvRow } from '@steward/contract';
import { sql, type TenantContext } from '@steward/sql';
import { fieldNames, formNamed, noForm } from '@steward/studio';
import { event } from '../events.ts';
import { readSubmissions } from '../permissions.ts';
import { valueOf } from './check.ts';
import { listSubmissions, type SubmissionFilter } from './list.ts';
import type { StoredSubmission } from './submission.ts';

const own = ['submission_id', 'submitted_at', 'form_version', 'mode', 'contact_id', 'erased_at'] as const;
const mostColumns = 500;
const pageSize = 200;

interface Columns {
  /** Each has a column. */
  readonly names: readonly string[];
  /** Whether names without a column of their own were sent; their values are in a last column, as JSON. */
  readonly more: boolean;
}

/**
 * All submissions of a form as CSV (RFC 4180), newest first, a page at a time: the platform's columns, then one column
 * for each name that was ever sent, in any version. Strangers can send any number of names: above 500,
 * the fields of the form come first, then the most frequent names, and the others are in a last column, `data`, as JSON.
 * Cells that a spreadsheet would run are made text. The export is recorded before the first row leaves.
 * @throws Problem `form_not_found` (404), for another tenant's form too
 */
export async function exportSubmissions(
  context: TenantContext,
  formId: string,
  filter: SubmissionFilter,
): Promise<AsyncGenerator<string>> {
  const columns = await context.require(heavily(readSubmissions)).write(async (tx) => {
    if ((await tx.query(formNamed(context, formId))).length === 0) throw noForm();
    const fields = await fieldNames(tx, formId);
    const rows = await tx.query<{ name: string }>(sql`
      select name from (
        select json_object_keys(data::json) collate "C" as name from commerce.submission
        where tenant_id = ${context.tenant}::uuid and form_id = ${formId}::uuid) sent
      group by name order by name = any(${fields}::text[]) desc, count(*) desc, name limit ${mostColumns + 1}::int`);
    tx.record(event('commerce.submissions.exported', { form_id: formId }));
    const names = rows.slice(0, mostColumns).map(({ name }) => name);
    return { names: names.toSorted(byCode), more: rows.length > mostColumns };
  });
  return lines(context, formId, filter, columns);
}

async function* lines(
  context: TenantContext,
  formId: string,
  filter: SubmissionFilter,
  columns: Columns,
): AsyncGenerator<string> {
  const { names, more } = columns;
  const shown = new Set(names);
  yield csvRow([...own, ...names.map((name) => `data.${name}`), ...(more ? ['data'] : [])]);
  let cursor: string | undefined;
  do {
    const page = await listSubmissions(context, { ...filter, formId, limit: pageSize, cursor });
    yield page.items.map((one) => csvRow([...cells(one, names), ...(more ? [rest(one, shown)] : [])])).join('');
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

const cells = (one: StoredSubmission, names: readonly string[]): (string | null)[] => [
  one.submissionId,
  one.createdAt,
  String(one.formVersion),
  one.mode,
  one.contactId ?? null,
  one.erasedAt ?? null,
  ...names.map((name) => cell(valueOf(one.data, name))),
];

const byCode = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

function rest(one: StoredSubmission, shown: ReadonlySet<string>): string | null {
  const left = Object.entries(one.data).filter(([name]) => !shown.has(name));
  return left.length === 0 ? null : JSON.stringify(Object.fromEntries(left));
}

function cell(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
