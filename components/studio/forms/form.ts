import { count, flag, id, moment, nullable, oneOf, type Of, shape, text } from '@steward/contract';
import { fail } from '@steward/kernel';
import { sql, statement, type Statement, type TenantContext, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { studioFail } from '../errors.ts';
import { checkDefinition } from './check.ts';
import { definition, type FormDefinition, type GivenDefinition } from './definition.ts';
import { documentText, mostDocumentBytes } from './document.ts';

/** A form as lists show it: of `studio.form` named `f`, with the version that is served, or was served last, named `v`. */
export const formSummary = shape('f', {
  id: id('f.form_id'),
  siteId: id(),
  name: text(),
  /** `draft`: never published. `unpublished`: was, and is not served now. */
  status: oneOf(
    ['draft', 'published', 'unpublished', 'archived'],
    `case when f.archived_at is not null then 'archived' when f.active_version is not null then 'published'
      when f.latest_version = 0 then 'draft' else 'unpublished' end`,
  ),
  activeVersion: nullable(count()),
  /** 0 before the first publish. */
  latestVersion: count(),
  /** Counts changes of the draft. */
  revision: count(),
  /** Whether the draft differs from what is served, or was served last. */
  hasUnpublishedChanges: flag('(v.definition = f.draft and v.name = f.name) is not true'),
  createdAt: moment(),
  updatedAt: moment(),
});

export interface FormRow extends Record<string, unknown> {
  readonly draft: string;
}

const answer = formSummary.answer.extend(definition.shape);
export type Form = Of<{ readonly answer: typeof answer }>;
/** With its draft. */
export const form = {
  answer,
  read: (row: FormRow): Form => ({ ...formSummary.read(row), ...(JSON.parse(row.draft) as FormDefinition) }),
};

export const byForm = { formId: z.uuid().meta({ description: 'From service_list_forms.' }) };

/**
 * Forms of the tenant `$1`. The draft is compared with the version that is served, or was served last.
 * @param rest conditions and order, with the values from `$2` on
 */
export const selectForms = (rest: string, tenant: string, ...values: readonly unknown[]): Statement =>
  statement(
    `select ${formSummary.columns}, f.draft from studio.form f
    left join studio.form_version v on v.tenant_id = f.tenant_id and v.form_id = f.form_id
      and v.version = coalesce(f.active_version, nullif(f.latest_version, 0))
    where f.tenant_id = $1::uuid and ${rest}`,
    [tenant, ...values],
  );

/**
 * A definition that can be kept as a draft, in the order of members in which definitions are compared and kept. What depends on the
 * tenant's contact schema is checked when it is published.
 * @throws Problem `invalid_request` (400) with pointers
 */
export function settled(name: string, given: GivenDefinition): FormDefinition {
  const { validationRules = [], targetEntityType = null, notificationEmails = [], defaultCountry = null } = given;
  const required = new Set(validationRules.filter(({ rule }) => rule === 'required').map(({ field }) => field));
  const settledDefinition: FormDefinition = {
    fields: given.fields.map((field) => ({
      name: field.name,
      label: field.label,
      type: field.type,
      // One truth for every reader: a rule `required` is the field's own `required`.
      required: field.required === true || required.has(field.name),
      placeholder: field.placeholder,
      helpText: field.helpText,
      options: field.options?.map((one) =>
        typeof one === 'string' ? { value: one, label: one } : { value: one.value, label: one.label ?? one.value },
      ),
      mapsTo: field.mapsTo,
    })),
    validationRules: validationRules.map(({ field, rule, value, message }) => ({ field, rule, value, message })),
    targetEntityType,
    notificationEmails,
    defaultCountry,
  };
  const errors = checkDefinition(settledDefinition);
  const blank = '00000000-0000-7000-8000-000000000000';
  const bytes = Buffer.byteLength(documentText({ id: blank, siteId: blank, name }, 2 ** 31 - 1, settledDefinition));
  if (bytes > mostDocumentBytes)
    errors.push({
      pointer: '/fields',
      code: 'too_large',
      detail: `The form takes ${bytes} bytes, more than the ${mostDocumentBytes} allowed: shorten texts or options.`,
    });
  if (errors.length > 0)
    throw fail('invalid_request', `The form is not valid: ${errors[0]?.pointer}: ${errors[0]?.detail}`, {
      errors: errors.slice(0, 20),
    });
  return settledDefinition;
}

interface Held {
  readonly held: Form;
  /** The text of its draft. */
  readonly draft: string;
}

/** The form, archived or not, held until the end of the transaction. @throws Problem `form_not_found` (404) */
export async function holdAny(tx: TenantTransaction, formId: string): Promise<Held> {
  const [row] = await tx.query<FormRow>(
    selectForms('f.form_id = $2::uuid for no key update of f', tx.context.tenant, formId),
  );
  if (row === undefined) throw noForm();
  return { held: form.read(row), draft: row.draft };
}

/** The same of a form in use. @throws Problem `form_not_found` (404), of an archived one with the way back */
export async function holdForm(tx: TenantTransaction, formId: string): Promise<Held> {
  const found = await holdAny(tx, formId);
  if (found.held.status === 'archived')
    throw studioFail('form_not_found', 'The form is archived: restore it first (service_restore_form).');
  return found;
}

/** Answers a row if the tenant has the form, archived or not: to travel with what else is asked about it. */
export const formNamed = ({ tenant }: Pick<TenantContext, 'tenant'>, formId: string): Statement =>
  sql`select form_id from studio.form where tenant_id = ${tenant}::uuid and form_id = ${formId}::uuid`;

export const noForm = (): Error =>
  studioFail('form_not_found', 'There is no such form in this tenant: list the forms for their ids.');
