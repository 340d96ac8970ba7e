import { validator } from '@steward/contract';
import { fail } from '@steward/kernel';
import { sql, statement, type Row, type Statement, type TenantContext, type TenantTransaction } from '@steward/sql';
import { checkDefinition } from './check.ts';
import { formChange, newForm, type FormChange, type FormDefinition, type NewForm } from './definition.ts';
import { documentText, mostDocumentBytes } from './document.ts';

export type FormStatus = 'draft' | 'published' | 'unpublished' | 'archived';

export interface FormSummary {
  readonly id: string;
  readonly siteId: string;
  readonly name: string;
  /** `draft`: never published. `unpublished`: was, and is not served now. */
  readonly status: FormStatus;
  readonly activeVersion: number | null;
  /** 0 before the first publish. */
  readonly latestVersion: number;
  /** Counts changes of the draft. */
  readonly revision: number;
  /** Whether the draft differs from what is served, or was served last. */
  readonly hasUnpublishedChanges: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A form with its draft. */
export interface Form extends FormSummary, FormDefinition {}

export interface HeldForm extends Form {
  readonly draftText: string;
}

function statusOf(row: Row): FormStatus {
  if (row['archived_at'] !== null) return 'archived';
  if (row['active_version'] !== null) return 'published';
  return row['latest_version'] === 0 ? 'draft' : 'unpublished';
}

/**
 * Forms of the tenant `$1`. The draft is compared with the version that is served, or was served last.
 * @param rest conditions and order, with the values from `$2` on
 */
export const selectForms = (rest: string, tenant: string, ...values: readonly unknown[]): Statement =>
  statement(
    `select f.form_id, f.site_id, f.name, f.draft, f.revision, f.latest_version, f.active_version, f.archived_at,
      f.created_at, f.updated_at, (v.definition = f.draft and v.name = f.name) is not true as changed
    from studio.form f
    left join studio.form_version v on v.tenant_id = f.tenant_id and v.form_id = f.form_id
      and v.version = coalesce(f.active_version, nullif(f.latest_version, 0))
    where f.tenant_id = $1::uuid and ${rest}`,
    [tenant, ...values],
  );

export const presentSummary = (row: Row): FormSummary => ({
  id: String(row['form_id']),
  siteId: String(row['site_id']),
  name: String(row['name']),
  status: statusOf(row),
  activeVersion: row['active_version'] as number | null,
  latestVersion: Number(row['latest_version']),
  revision: Number(row['revision']),
  hasUnpublishedChanges: row['changed'] === true,
  createdAt: (row['created_at'] as Date).toISOString(),
  updatedAt: (row['updated_at'] as Date).toISOString(),
});

export const presentForm = (row: Row): Form => ({
  ...presentSummary(row),
  ...(JSON.parse(String(row['draft'])) as FormDefinition),
});

const checkNew = validator(newForm, 'body');
const checkChange = validator(formChange, 'body');

/**
 * A definition that can be kept as a draft. What depends on the tenant's contact schema is checked when it is published.
 * @throws Problem `invalid_request` (400) with pointers
 */
export function readNewForm(input: NewForm): { siteId: string; name: string; definition: FormDefinition } {
  const { siteId, name, ...given } = checkNew(input);
  const mapped = given.fields.some(({ mapsTo }) => mapsTo !== undefined);
  const targetEntityType = given.targetEntityType ?? (mapped && given.targetEntityType === undefined ? contact : null);
  return { siteId, name, definition: settled(name, { ...given, targetEntityType }) };
}

const contact = 'crm_contact';

/** @throws Problem `invalid_request` (400) with pointers */
export const readFormChange = (input: FormChange) => checkChange(input);

/**
 * In the order of members in which definitions are compared and kept.
 * @throws Problem `invalid_request` (400) with pointers
 */
export function settled(name: string, given: FormDefinition): FormDefinition {
  const errors = checkDefinition(given);
  const required = new Set(given.validationRules.filter(({ rule }) => rule === 'required').map(({ field }) => field));
  const definition: FormDefinition = {
    fields: given.fields.map((field) => ({
      name: field.name,
      label: field.label,
      type: field.type,
      // One truth for every reader: a rule `required` is the field's own `required`.
      required: field.required || required.has(field.name),
      placeholder: field.placeholder,
      helpText: field.helpText,
      options: field.options,
      mapsTo: field.mapsTo,
    })),
    validationRules: given.validationRules.map(({ field, rule, value, message }) => ({ field, rule, value, message })),
    targetEntityType: given.targetEntityType,
    notificationEmails: given.notificationEmails,
    defaultCountry: given.defaultCountry,
  };
  const blank = '00000000-0000-7000-8000-000000000000';
  const bytes = Buffer.byteLength(documentText({ id: blank, siteId: blank, name }, 2 ** 31 - 1, definition));
  if (bytes > mostDocumentBytes)
    errors.push({
      pointer: '/fields',
      code: 'too_large',
      detail: `The schema has ${bytes} bytes and may have ${mostDocumentBytes}: shorten texts or options.`,
    });
  if (errors.length > 0)
    throw fail('invalid_request', `The form is not valid: ${errors[0]?.pointer}: ${errors[0]?.detail}`, {
      errors: errors.slice(0, 20),
    });
  return definition;
}

/** The form, held until the end of the transaction; an archived one is not found. @throws Problem `not_found` (404) */
export async function holdForm(tx: TenantTransaction, formId: string): Promise<HeldForm> {
  const [row] = await tx.query(
    selectForms('f.form_id = $2::uuid and f.archived_at is null for no key update of f', tx.context.tenant, formId),
  );
  if (row === undefined) throw noForm();
  return { ...presentForm(row), draftText: String(row['draft']) };
}

/** Answers a row if the tenant has the form, archived or not: to travel with what else is asked about it. */
export const formNamed = ({ tenant }: Pick<TenantContext, 'tenant'>, formId: string): Statement =>
  sql`select form_id from studio.form where tenant_id = ${tenant}::uuid and form_id = ${formId}::uuid`;

export const noForm = (): Error => fail('not_found', 'There is no such form in this tenant.');
