import { route, type Guard, type Route } from '@steward/contract';
import type { Storefront } from '@steward/studio';
import { z } from 'zod';
import { readSubmitted } from '../submissions/body.ts';
import { taken } from '../submissions/submission.ts';
import type { Submission } from '../submissions/submission.ts';
import type { Submitting } from '../submissions/store.ts';
import { formNotFound } from '../submissions/submit.ts';
import type { FormCounts } from '../counts/counts.ts';
import type { Visit } from './guard.ts';

const anything = z.record(z.string(), z.unknown());

export const paths = {
  schema: '/storefront/v1/forms/:formId/schema',
  start: '/storefront/v1/forms/:formId/start',
  submit: '/storefront/v1/forms/:formId/submit',
};

const schemaDocument = z.object({
  formId: z.uuid(),
  siteId: z.uuid(),
  name: z.string(),
  activeVersion: z.int(),
  targetEntityType: z.string().nullable(),
  fields: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      type: z.string(),
      required: z.boolean(),
      placeholder: z.string().optional(),
      helpText: z.string().optional(),
      options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
      mapsTo: z.string().optional(),
    }),
  ),
  validationRules: z.array(
    z.object({
      field: z.string(),
      rule: z.string(),
      value: z.union([z.string(), z.number()]).optional(),
      message: z.string().optional(),
    }),
  ),
});

export const keyHeader = { 'X-Service-SDK-Key': "The site's publishable key. Required." };
/** Kept by the browser that asked, and asked for again each time: a publish is seen at once, for the price of a 304. */
export const caching = 'private, no-cache';

export const storefrontRoutes = (
  guards: Readonly<Record<'read' | 'submit', Guard<Visit>>>,
  ports: {
    readonly storefront: Storefront;
    readonly tellsContact: boolean;
    readonly counts: Pick<FormCounts, 'note'>;
    submit(one: Submitting): Promise<Submission>;
  },
): Route[] => [
  route({
    method: 'GET',
    path: paths.schema,
    does: 'for_anyone',
    summary: 'The active version of a form',
    description: 'With `If-None-Match` of the version that is known, 304 and no body.',
    tag: 'Storefront',
    guard: guards.read,
    headers: { ...keyHeader, 'If-None-Match': 'ETag of the version that the page has.' },
    answers: {
      200: { description: 'The form, with `ETag` by version.', schema: schemaDocument },
      304: { description: 'The page has the active version.' },
    },
    errors: ['form_not_found'],
    handle: ({ guard: { key, formId }, request }) => {
      const settle = (found: Awaited<ReturnType<Storefront['published']>>) => {
        if (found === undefined) throw formNotFound();
        ports.counts.note(key, formId, 'reads');
        const headers = { etag: found.etag, 'cache-control': caching };
        const known = request.headers['if-none-match'];
        if (known !== undefined && matches(known, found.etag)) return { status: 304, headers };
        return { status: 200, text: found.text, headers };
      };
      const found = ports.storefront.published(key, formId);
      return found instanceof Promise ? found.then(settle) : settle(found);
    },
  }),
  route({
    method: 'POST',
    path: paths.start,
    does: 'for_anyone',
    summary: 'Count a visitor who begins to fill in a form',
    description:
      'Send it once for each page view, without a body, when the visitor first types or chooses something. It is only counted by ' +
      'day: nothing of the visitor is kept. It counts towards limits of its own, as high as those of the other storefront routes.',
    tag: 'Storefront',
    guard: guards.read,
    headers: keyHeader,
    answers: { 204: { description: 'Counted.' } },
    errors: ['form_not_found'],
    handle: async ({ guard: { key, formId } }) => {
      if ((await ports.storefront.published(key, formId)) === undefined) throw formNotFound();
      ports.counts.note(key, formId, 'starts');
      return { status: 204 };
    },
  }),
  route({
    method: 'POST',
    path: paths.submit,
    does: 'for_anyone',
    summary: 'Submit a form',
    description:
      'The server enforces only the form’s rule `required`, and the contact schema for values that are mapped to a ' +
      'contact. It ignores members beside `data`, except `contactId`, which it refuses anywhere. Each accepted request is ' +
      'a submission: the page must keep a visitor from sending twice. 503 `outcome_unknown`: the submission may be ' +
      'stored, so do not resend it automatically; a repeat within ten minutes is marked for members. 503 `unavailable`: ' +
      'the submission is not stored.',
    tag: 'Storefront',
    guard: guards.submit,
    headers: keyHeader,
    body: z.unknown().meta({ description: '`{"data": {"<field>": <value>}}`' }),
    answers: { 201: { description: 'The submission.', schema: taken.extend({ data: anything }) } },
    errors: [
      'form_not_found',
      'contact_id_not_accepted',
      'data_required',
      'invalid_data',
      'required_fields_missing',
      'unsupported_mapping_target',
      'invalid_contact_values',
      'contact_identity_required',
    ],
    handle: async ({ guard: { key, formId }, body, request }) => {
      const { contactId, ...told } = await ports.submit({
        key,
        formId,
        submitted: readSubmitted(body),
        requestId: request.id,
      });
      return { status: 201, body: ports.tellsContact && contactId !== undefined ? { ...told, contactId } : told };
    },
  }),
];

/** RFC 9110 §13.1.2: compared weakly, for a proxy that compresses makes the tag weak. */
export const matches = (known: string, etag: string): boolean =>
  known.trim() === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
