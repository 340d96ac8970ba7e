import { timeOfId } from '@steward/kernel';
import { afterAllIds, page, type Page, type PageRequest, type Row, sql, type TenantContext } from '@steward/sql';
import { formNamed } from '@steward/studio';
import { noForm } from '../errors.ts';
import { readSubmissions } from '../permissions.ts';

/** One kind of fault within a minute. */
export interface Refusal {
  readonly refusalId: string;
  readonly status: number;
  readonly code: string;
  /** Where in the body, and what was wrong there. */
  readonly errors: readonly { readonly pointer: string; readonly code: string }[];
  readonly times: number;
  readonly firstAt: string;
  readonly lastAt: string;
}

/**
 * Why submissions to a form were refused, newest first.
 * @throws Problem `form_not_found` (404), for another tenant's form too
 */
export async function listRefusals(
  context: TenantContext,
  formId: string,
  { limit, cursor }: PageRequest,
): Promise<Page<Refusal>> {
  const [form = [], rows = []] = await context.require(readSubmissions).readAll([
    formNamed(context, formId),
    sql`
    select refusal_id, status, code, faults, times, last_at from commerce.refusal
    where tenant_id = ${context.tenant}::uuid and form_id = ${formId}::uuid
      and refusal_id < ${cursor ?? afterAllIds}::uuid
    order by refusal_id desc limit ${limit + 1}::int`,
  ]);
  if (form.length === 0) throw noForm();
  return page(rows, limit, presentRefusal, ({ refusalId }) => refusalId);
}

const presentRefusal = (row: Row): Refusal => ({
  refusalId: String(row['refusal_id']),
  status: Number(row['status']),
  code: String(row['code']),
  errors: JSON.parse(String(row['faults'])) as Refusal['errors'],
  times: Number(row['times']),
  firstAt: timeOfId(String(row['refusal_id'])),
  lastAt: (row['last_at'] as Date).toISOString(),
});
