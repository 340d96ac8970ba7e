import {
  page,
  type Page,
  type PageRequest,
  type Row,
  sql,
  type TenantContext,
  type TenantTransaction,
} from '@steward/sql';
import { readStudio } from '../permissions.ts';
import type { FormDefinition } from './definition.ts';
import { formNamed, noForm } from './form.ts';

/** What was published once and stands for good. */
export interface FormVersion extends FormDefinition {
  readonly formId: string;
  readonly siteId: string;
  readonly version: number;
  readonly name: string;
  readonly publishedAt: string;
  /** `user:…`, `agent:…` or `service:…`, by its opaque id. */
  readonly publishedBy: string;
}

export type VersionSummary = Pick<FormVersion, 'formId' | 'version' | 'name' | 'publishedAt' | 'publishedBy'>;

const presentVersionSummary = (row: Row): VersionSummary => ({
  formId: String(row['form_id']),
  version: Number(row['version']),
  name: String(row['name']),
  publishedAt: (row['published_at'] as Date).toISOString(),
  publishedBy: String(row['published_by']),
});

const presentVersion = (row: Row): FormVersion => ({
  ...presentVersionSummary(row),
  siteId: String(row['site_id']),
  ...(JSON.parse(String(row['definition'])) as FormDefinition),
});

const oneVersion = (tenant: string, formId: string, version: number) => sql`
  select form_id, site_id, version, name, definition, published_at, published_by from studio.form_version
  where tenant_id = ${tenant}::uuid and form_id = ${formId}::uuid and version = ${version}::int`;

/** @throws Problem `not_found` (404) */
export async function getVersion(context: TenantContext, formId: string, version: number): Promise<FormVersion> {
  const [row] = await context.require(readStudio).read(oneVersion(context.tenant, formId, version));
  if (row === undefined) throw noForm();
  return presentVersion(row);
}

/** A version as it was published, for whoever works in a transaction of its tenant's: its fields, its e-mail addresses. */
export async function formVersionIn(
  tx: TenantTransaction,
  formId: string,
  version: number,
): Promise<FormVersion | undefined> {
  const [row] = await tx.query(oneVersion(tx.context.tenant, formId, version));
  return row === undefined ? undefined : presentVersion(row);
}

/** A page of a form's versions, newest first; its cursors are their numbers. @throws Problem `not_found` (404) */
export async function listVersions(
  context: TenantContext,
  formId: string,
  { limit, cursor }: PageRequest,
): Promise<Page<VersionSummary>> {
  const [form = [], rows = []] = await context.require(readStudio).readAll([
    formNamed(context, formId),
    sql`
      select form_id, version, name, published_at, published_by from studio.form_version
      where tenant_id = ${context.tenant}::uuid and form_id = ${formId}::uuid
        and version < ${cursor ?? '2147483647'}::int
      order by version desc limit ${limit + 1}::int`,
  ]);
  if (form.length === 0) throw noForm();
  return page(rows, limit, presentVersionSummary, ({ version }) => String(version));
}
