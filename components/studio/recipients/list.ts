import { operation } from '@steward/access';
import type { Fixed } from '@steward/contract';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { byForm, noForm } from '../forms/form.ts';
import type { FormDefinition } from '../forms/definition.ts';
import type { StudioDeps } from '../deps.ts';
import { reads } from '../operations.ts';
import { addressees, askingBy, standings, type Addressee, type Asking } from './recipient.ts';

const moment = z.string().nullable();

/** Whom a form has us write to, and whether we do. */
export const recipient = z.object({
  address: z.string(),
  standing: z.enum(standings),
  /** Whether it receives emails about submissions to the published forms. */
  told: z.boolean(),
  left: z.boolean().meta({
    description:
      'It is of somebody who was removed or suspended: nothing is sent there before they are asked to confirm, and do, or are a member again.',
  }),
  /** Whether the version that is served names it; else only the draft does. */
  published: z.boolean(),
  /** When it was last asked to confirm. */
  askedAt: moment,
  confirmedAt: moment,
  /** Since when its reader wants no emails of this tenant. */
  unsubscribedAt: moment,
  /** Since when nothing is sent there, because a mail server refused the address. */
  stoppedAt: moment,
  /** The last email that was refused for good or came back. */
  lastRefusal: z.object({ at: z.string(), reason: z.string() }).nullable(),
});
export type Recipient = Fixed<z.output<typeof recipient>>;

/** The addresses of a form's draft and of the version that is served. @throws Problem `form_not_found` (404) */
export const listRecipients = operation(
  {
    ...reads,
    name: 'service_list_form_recipients',
    input: z.strictObject(byForm),
    answer: z.object({ items: z.array(recipient) }),
    errors: ['insufficient_role', 'form_not_found'],
  },
  async (scope, { formId }, { recipients }: Pick<StudioDeps, 'recipients'>) => {
    const asking = askingBy(scope.context.tenant, async (statement) => scope.read(statement));
    const { all, published } = await namedBy(asking, formId);
    return { items: (await addressees(asking, recipients, all)).map((one) => presentRecipient(one, published)) };
  },
);
/** @throws Problem `form_not_found` (404) */
export async function namedBy(
  { context, query }: Asking,
  formId: string,
): Promise<{ all: string[]; published: ReadonlySet<string> }> {
  const [row] = await query<{ draft: string; served: string | null }>(sql`
    select f.draft, v.definition as served from studio.form f
    left join studio.form_version v on v.tenant_id = f.tenant_id and v.form_id = f.form_id and v.version = f.active_version
    where f.tenant_id = ${context.tenant}::uuid and f.form_id = ${formId}::uuid`);
  if (row === undefined) throw noForm();
  const of = (text: string): readonly string[] => (JSON.parse(text) as FormDefinition).notificationEmails;
  const published = row.served === null ? [] : of(row.served);
  return { all: [...published, ...of(row.draft)], published: new Set(published) };
}

export const presentRecipient = (
  { address, standing, state, left, told }: Addressee,
  published: ReadonlySet<string>,
): Recipient => {
  const isPublished = published.has(address);
  const refused = state?.refused ?? null;
  return {
    address,
    standing,
    told: told && isPublished,
    left,
    published: isPublished,
    askedAt: state?.askedAt?.toISOString() ?? null,
    confirmedAt: state?.confirmedAt?.toISOString() ?? null,
    unsubscribedAt: state?.unsubscribedAt?.toISOString() ?? null,
    stoppedAt: state?.stoppedAt?.toISOString() ?? null,
    lastRefusal: refused === null ? null : { at: refused.at.toISOString(), reason: refused.reason },
  };
};
