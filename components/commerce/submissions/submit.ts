import { checkMapped, contactSchemaIn, resolveContact, type ContactSchema } from '@steward/crm';
import { newId, newIdAt, Problem } from '@steward/kernel';
import type { Tenancy, TenantTransaction } from '@steward/sql';
import { errors as studioFail, type PublishedForm, type Storefront } from '@steward/studio';
import { commerceFail } from '../errors.ts';
import { submitForms } from '../permissions.ts';
import { visitorOf } from '../storefront/visitor.ts';
import { step } from './body.ts';
import { checkRequired, mapContact } from './check.ts';
import { createGroupCommit, type Commit, type Outcome } from './group-commit.ts';
import { insertOwn, insertTogether, store, type SubmissionRow, type Submitting } from './store.ts';
import type { Submission } from './submission.ts';

export interface SubmitPorts {
  readonly tenancy: Tenancy;
  readonly storefront: Pick<Storefront, 'activeForm' | 'activeForms'>;
}

/**
 * Takes what a visitor filled in. One transaction: the version that is active in it is the one that is checked against and
 * named; the contact, the submission, its audit event and its announcement are there together or not at all. Submissions
 * that come at the same time may share it: of all tenants, or of one key where contacts are made.
 * @throws Problem `form_not_found` (404), `required_fields_missing`, `unsupported_mapping_target`,
 *   `contact_identity_required`, `invalid_contact_values` (400)
 */
export const submitting = (ports: SubmitPorts): ((one: Submitting) => Promise<Submission>) =>
  createGroupCommit({
    together: together(ports),
    alone: alone(ports),
    staysIsolated: ({ contactId }) => contactId !== undefined,
  });

/** What no contact is made for, of any tenants. */
function together({ tenancy, storefront }: SubmitPorts): Commit<Submitting, Submission> {
  return async (inputs) =>
    tenancy.multiTenantTransaction(submitForms, async (tx) => {
      const formOf = await storefront.activeForms(tx, inputs);
      const rows: SubmissionRow[] = [];
      const outcomes = inputs.map((one): Outcome<Submission> => {
        try {
          const form = complete(formOf(one), one);
          if (mapContact(form, one.submitted.data) !== undefined) return 'isolated';
          return { output: store(tx.within(visitorOf(one.key, one.requestId)), rows, one, form, newId()) };
        } catch (error) {
          return refusal(error);
        }
      });
      if (rows.length > 0) tx.later(insertTogether(rows));
      return outcomes;
    });
}

/** Whatever comes with one key. */
function alone({ tenancy, storefront }: SubmitPorts): Commit<Submitting, Submission> {
  return async (inputs) => {
    const [first] = inputs;
    if (first === undefined) return [];
    return tenancy
      .systemContext(visitorOf(first.key, first.requestId))
      .require(submitForms)
      .write(async (tx) => {
        const forms = new Map<string, PublishedForm | undefined>();
        let schema: Promise<ContactSchema> | undefined;
        const schemaOf = async (): Promise<ContactSchema> => (schema ??= contactSchemaIn(tx));
        const rows: SubmissionRow[] = [];
        const outcomes: Outcome<Submission>[] = [];
        for (const one of inputs) {
          const { formId, key } = one;
          if (!forms.has(formId)) forms.set(formId, await storefront.activeForm(tx, key.siteId, formId));
          try {
            const form = complete(forms.get(formId), one);
            const own = withCorrelation(tx, one.requestId);
            const submissionId = newIdAt(tx.context.happenedAt);
            const contactId = await contactOf(own, form, one, submissionId, schemaOf);
            outcomes.push({ output: store(own, rows, one, form, submissionId, contactId) });
          } catch (error) {
            outcomes.push(refusal(error));
          }
        }
        if (rows.length > 0) tx.later(insertOwn(rows));
        return outcomes;
      });
  };
}

/** What is recorded and published for one request has that request's id, also in a shared transaction. */
const withCorrelation = (tx: TenantTransaction, correlationId: string): TenantTransaction => ({
  ...tx,
  record: (event) => tx.record({ correlationId, ...event }),
  publish: (event) => tx.publish({ correlationId, ...event }),
});

function complete(form: PublishedForm | undefined, { submitted }: Submitting): PublishedForm {
  if (form === undefined) throw formNotFound();
  checkRequired(form, submitted.data);
  return form;
}

function refusal(error: unknown): Outcome<never> {
  if (!(error instanceof Problem) || error.status >= 500) throw error;
  return { refused: error };
}

/** The one answer for a form that is unknown, unpublished, archived or another site's. */
export const formNotFound = () => studioFail('form_not_found', 'This site publishes no form with this id.');

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
    test: key.mode === 'test',
    marketingConsent: mapping.agreed,
    source: {
      kind: 'form.submitted',
      refs: { submission_id: submissionId, form_id: form.formId, site_id: key.siteId },
    },
  });
  return contactId;
}
