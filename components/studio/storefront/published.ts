import { sql, type Row, type MultiTenantTransaction, type TenantTransaction } from '@steward/sql';
import type { FormDefinition, FormField, ValidationRule } from '../forms/definition.ts';
import type { SchemaDocument } from '../forms/document.ts';

/** The version of a form that is served, as submitting sees it. */
export interface PublishedForm {
  readonly formId: string;
  readonly siteId: string;
  readonly name: string;
  readonly version: number;
  readonly targetEntityType: string | null;
  readonly fields: readonly FormField[];
  readonly validationRules: readonly ValidationRule[];
  /** ISO 3166, the form's or else its site's: where national telephone numbers are from. */
  readonly defaultCountry?: string;
}

/** The version with the bytes that are served for it. */
export interface PublishedSchema {
  readonly form: PublishedForm;
  /** The document of contracts §7, to the byte. */
  readonly text: string;
  /** Of the version, quoted as the header has it. */
  readonly etag: string;
}

/** One statement, so that everything in its answer is of one version. */
export const activeVersion = (tenant: string, siteId: string, formId: string) => sql`
  select v.version, v.document, v.definition, s.default_country
  from studio.form f
  join studio.form_version v on v.tenant_id = f.tenant_id and v.form_id = f.form_id and v.version = f.active_version
  join studio.site s on s.tenant_id = f.tenant_id and s.site_id = f.site_id and s.status = 'active'
  where f.tenant_id = ${tenant}::uuid and f.site_id = ${siteId}::uuid and f.form_id = ${formId}::uuid
    and f.archived_at is null`;

export interface ServedRow extends Row {
  readonly document: string;
  readonly definition: string;
  readonly default_country: string | null;
}

export function presentSchema({
  document: text,
  definition,
  default_country: siteCountry,
}: ServedRow): PublishedSchema {
  const { activeVersion: version, ...document } = JSON.parse(text) as SchemaDocument;
  const { defaultCountry: own } = JSON.parse(definition) as FormDefinition;
  const defaultCountry = own ?? siteCountry;
  return {
    text,
    etag: `"v${version}"`,
    form: { ...document, version, ...(defaultCountry === null ? {} : { defaultCountry }) },
  };
}

/**
 * The active version of a form in the transaction that stores a submission: one immutable version throughout. Undefined
 * for a form that is unknown, unpublished, archived, another site's or of a disabled site.
 */
export async function activeForm(
  tx: TenantTransaction,
  siteId: string,
  formId: string,
): Promise<PublishedForm | undefined> {
  const [row] = await tx.query<ServedRow>(activeVersion(tx.context.tenant, siteId, formId));
  return row === undefined ? undefined : presentSchema(row).form;
}

/** Which form of whom: a site's, as its key says. */
export interface FormOfSite {
  readonly key: { readonly tenant: string; readonly siteId: string };
  readonly formId: string;
}

interface PlacedRow extends ServedRow {
  readonly tenant_id: string;
  readonly site_id: string;
  readonly form_id: string;
}

/** The same for forms of several tenants in a transaction that they share; each by itself, in one statement. */
export async function activeForms(
  tx: MultiTenantTransaction,
  wanted: readonly FormOfSite[],
): Promise<(one: FormOfSite) => PublishedForm | undefined> {
  const each = [...new Map(wanted.map((one) => [placeOf(one), one])).values()];
  const rows = await tx.query<PlacedRow>(sql`
    select tenant_id, site_id, form_id, version, document, definition, default_country
    from studio.active_versions(${each.map(({ key }) => key.tenant)}::uuid[], ${each.map(({ key }) => key.siteId)}::uuid[],
      ${each.map(({ formId }) => formId)}::uuid[])`);
  const found = new Map(rows.map((row) => [`${row.tenant_id}${row.site_id}${row.form_id}`, presentSchema(row).form]));
  return (one) => found.get(placeOf(one));
}

const placeOf = ({ key, formId }: FormOfSite): string => `${key.tenant}${key.siteId}${formId}`;

/** The names of the fields of all versions of a form, those of the latest first; none of an unknown form. */
export async function fieldNames(tx: TenantTransaction, formId: string): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(sql`
    select field ->> 'name' as name
    from studio.form_version v, json_array_elements(v.document::json -> 'fields') with ordinality as f(field, place)
    where v.tenant_id = ${tx.context.tenant}::uuid and v.form_id = ${formId}::uuid
    group by 1 order by max(v.version) desc, min(place)`);
  return rows.map(({ name }) => name);
}
