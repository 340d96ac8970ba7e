import { operation } from '@steward/access';
import { count, id, moment, type Of, pageCursor, pageOf, shape, text, versionNumber } from '@steward/contract';
import { fail } from '@steward/kernel';
import { page, statement, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { paging, reads } from '../operations.ts';
import { definition, type FormDefinition } from './definition.ts';
import { byForm, formNamed, noForm } from './form.ts';

/** A published version, which never changes: of `studio.form_version` named `v`. */
const summary = shape('v', {
  formId: id(),
  version: count(),
  name: text(),
  publishedAt: moment(),
  /** `user:…`, `agent:…` or `service:…`, by its opaque id. */
  publishedBy: text(),
});

/** With what it defines. */
const answer = summary.answer.extend({ siteId: z.uuid(), ...definition.shape });
export type FormVersion = Of<{ readonly answer: typeof answer }>;

interface VersionRow extends Record<string, unknown> {
  readonly site_id: string;
  readonly definition: string;
}
const presentVersion = (row: VersionRow): FormVersion => ({
  ...summary.read(row),
  siteId: row.site_id,
  ...(JSON.parse(row.definition) as FormDefinition),
});

const oneVersion = (tenant: string, formId: string, version: number): Statement =>
  statement(
    `select ${summary.columns}, v.site_id, v.definition from studio.form_version v
     where v.tenant_id = $1::uuid and v.form_id = $2::uuid and v.version = $3::int`,
    [tenant, formId, version],
  );

/** @throws Problem `form_not_found`, `not_found` (404) */
export const getVersion = operation(
  {
    ...reads,
    name: 'service_get_form',
    input: z.strictObject({ ...byForm, version: versionNumber }),
    answer,
    errors: ['insufficient_role', 'form_not_found', 'not_found'],
  },
  async ({ context, readAll }, { formId, version }) => {
    const [form = [], rows = []] = await readAll([
      formNamed(context, formId),
      oneVersion(context.tenant, formId, version),
    ]);
    if (form.length === 0) throw noForm();
    const [row] = rows as VersionRow[];
    if (row === undefined)
      throw fail('not_found', `The form has no version ${version}: list its versions (service_list_form_versions).`);
    return presentVersion(row);
  },
);

/** A version as it was published, for code in a transaction of its tenant: its fields, its e-mail addresses. */
export async function formVersionIn(
  tx: TenantTransaction,
  formId: string,
  version: number,
): Promise<FormVersion | undefined> {
  const [row] = await tx.query<VersionRow>(oneVersion(tx.context.tenant, formId, version));
  return row === undefined ? undefined : presentVersion(row);
}

/** A page of a form's versions, newest first; its cursors are their numbers. @throws Problem `form_not_found` (404) */
export const listVersions = operation(
  {
    ...reads,
    name: 'service_list_form_versions',
    input: z.strictObject({
      ...byForm,
      limit: paging.limit,
      cursor: pageCursor(z.string().regex(/^[1-9][0-9]{0,8}$/)),
    }),
    answer: pageOf(summary.answer),
    errors: ['insufficient_role', 'form_not_found'],
  },
  async ({ context, readAll }, { formId, limit, cursor = '2147483647' }) => {
    const [form = [], rows = []] = await readAll([
      formNamed(context, formId),
      statement(
        `select ${summary.columns} from studio.form_version v
         where v.tenant_id = $1::uuid and v.form_id = $2::uuid and v.version < $3::int
         order by v.version desc limit $4::int`,
        [context.tenant, formId, cursor, limit + 1],
      ),
    ]);
    if (form.length === 0) throw noForm();
    return page(rows, limit, summary.read, ({ version }) => String(version));
  },
);
