import { checkMapped, contactSchemaIn, resolveContact, type ContactSchema } from '@steward/crm';
import { newId } from '@steward/kernel';
import { sql, type Statement, type Tenancy, type TenantTransaction } from '@steward/sql';
import type { PublishedForm, SiteKey, Storefront } from '@steward/studio';
import { commerceFail } from '../errors.ts';
import { submitForms } from '../permissions.ts';
import { step, type Submitted } from './body.ts';
import { checkRequired, mapContact } from './check.ts';
import { createLane } from './lane.ts';
import { timeOf, type Submission } from './submission.ts';

export interface SubmitPorts {
  readonly tenancy: Tenancy;
  readonly storefront: Pick<Storefront, 'activeForm'>;
}

export interface Submitting {
  readonly key: SiteKey;
  readonly formId: string;
  readonly submitted: Submitted;
  readonly requestId: string;
}

/**
 * Takes what a visitor filled in. One transaction: the version that is active in it is the one that is checked against and
 * named; the contact, the submission, its audit event and its announcement are there together or not at all. Submissions of
 * one key that come at the same time may share it.
 * @throws Problem `form_not_found` (404), `required_fields_missing`, `unsupported_mapping_target`,
 *   `contact_identity_required`, `invalid_contact_values` (400)
 */
export const submitting = (ports: SubmitPorts): ((one: Submitting) => Promise<Submission>) =>
  createLane(
    async ({ key, requestId }, work) => {
      // Not a platform service, whose ids begin with `service:`: a key speaks for its site alone.
      const visitor = { type: 'service', id: `sdk-key:${key.keyId}` } as const;
      const context = ports.tenancy.systemContext({
        tenant: key.tenant,
        chain: [visitor],
        subject: visitor,
        caller: visitor,
        requestId,
        correlationId: requestId,
      });
      await context.require(submitForms).write(async (tx) => work(tx));
    },
    (tx) => {
      const forms = new Map<string, Promise<PublishedForm | undefined>>();
      const formOf = async ({ key, formId }: Submitting): Promise<PublishedForm | undefined> => {
        const reading = forms.get(formId) ?? ports.storefront.activeForm(tx, key.siteId, formId);
        forms.set(formId, reading);
        return reading;
      };
      let schema: Promise<ContactSchema> | undefined;
      const rows: Row[] = [];
      return {
        part: async (one) => {
          const shared = { schemaOf: async () => (schema ??= contactSchemaIn(tx)), rows };
          return store(withCorrelation(tx, one.requestId), one, await formOf(one), shared);
        },
        end: () => {
          if (rows.length > 0) tx.later(insertion(tx.context.tenant, rows));
        },
      };
    },
  );

interface Row {
  readonly submission_id: string;
  readonly form_id: string;
  readonly form_version: number;
  readonly site_id: string;
  readonly key_id: string;
  readonly mode: SiteKey['mode'];
  readonly contact_id: string | undefined;
  readonly data: string;
}

const insertion = (tenant: string, rows: readonly Row[]): Statement => sql`
  insert into commerce.submission (tenant_id, submission_id, form_id, form_version, site_id, key_id, mode, contact_id, data)
  select ${tenant}::uuid, submission_id, form_id, form_version, site_id, key_id, mode, contact_id, data
  from json_to_recordset(${JSON.stringify(rows)}::json) as row (submission_id uuid, form_id uuid, form_version int,
    site_id uuid, key_id uuid, mode text, contact_id uuid, data text)`;

/** What is recorded and announced for one request bears its id, whoever shares the transaction. */
const withCorrelation = (tx: TenantTransaction, correlationId: string): TenantTransaction => ({
  ...tx,
  record: (event) => tx.record({ correlationId, ...event }),
  publish: (event) => tx.publish({ correlationId, ...event }),
});

async function store(
  tx: TenantTransaction,
  one: Submitting,
  form: PublishedForm | undefined,
  { schemaOf, rows }: { readonly schemaOf: () => Promise<ContactSchema>; readonly rows: Row[] },
): Promise<Submission> {
  if (form === undefined) throw formNotFound();
  const { key, submitted } = one;
  const { data, text } = submitted;
  checkRequired(form, data);
  const submissionId = newId();
  const contactId = await contactOf(tx, form, one, submissionId, schemaOf);
  rows.push({
    submission_id: submissionId,
    form_id: form.formId,
    form_version: form.version,
    site_id: key.siteId,
    key_id: key.keyId,
    mode: key.mode,
    contact_id: contactId,
    data: text,
  });
  const eventId = tx.record({
    type: 'commerce.form.submitted',
    eventVersion: '1.0.0',
    grammar: 'commerce',
    source: 'commerce',
    payload: {
      submission_id: submissionId,
      form_id: form.formId,
      form_version: form.version,
      site_id: key.siteId,
      mode: key.mode,
      ...(contactId === undefined ? {} : { contact_id: contactId }),
    },
  });
  const named = {
    submissionId,
    siteId: key.siteId,
    formId: form.formId,
    formVersion: form.version,
    ...(contactId === undefined ? {} : { contactId }),
  };
  // The outbox is kept for ever: ids, and nothing of what somebody typed.
  tx.publish({
    type: 'commerce.storefront.form.submitted',
    source: 'commerce',
    subject: submissionId,
    causationId: eventId,
    data: { ...named, mode: key.mode },
  });
  return { ...named, data, createdAt: timeOf(submissionId) };
}

/** The one answer for a form that is unknown, unpublished, archived or another site's. */
export const formNotFound = () => commerceFail('form_not_found', 'This site publishes no such form.');

async function contactOf(
  tx: TenantTransaction,
  form: PublishedForm,
  { key, submitted }: Submitting,
  submissionId: string,
  schemaOf: () => Promise<ContactSchema>,
): Promise<string | undefined> {
  const mapping = mapContact(form, submitted.data);
  if (mapping === undefined) return undefined;
  const { defaultCountry } = form;
  const schema = await schemaOf();
  const pointer = (field: string): string => `/data${step(mapping.fieldOf.get(field) ?? field)}`;
  const errors = checkMapped(schema, Object.fromEntries(mapping.values), { defaultCountry, pointer });
  if (errors.length > 0) throw commerceFail('invalid_contact_values', undefined, { errors: errors.slice(0, 20) });
  const { email, phone, name, ...custom } = Object.fromEntries(mapping.values);
  const { contactId } = await resolveContact(tx, {
    email,
    phone,
    name,
    custom,
    defaultCountry,
    schema,
    source: {
      kind: 'form.submitted',
      refs: { submission_id: submissionId, form_id: form.formId, site_id: key.siteId },
    },
  });
  return contactId;
}
