import { sql, type TenantContext } from '@steward/sql';
import { noForm } from '../forms/form.ts';
import type { FormDefinition } from '../forms/definition.ts';
import type { StudioGround } from '../ground.ts';
import { readStudio } from '../permissions.ts';
import { addressees, askingBy, type Addressee, type Asking, type Standing } from './recipient.ts';

/** Whom a form has us write to, and whether we do. */
export interface Recipient {
  readonly address: string;
  readonly standing: Standing;
  /** Whether it is told of submissions to what is served now. */
  readonly told: boolean;
  /** Whether the version that is served names it; else only the draft does. */
  readonly published: boolean;
  /** When it was last asked to confirm. */
  readonly askedAt: string | null;
  readonly confirmedAt: string | null;
  /** Since when whoever reads it wants no letters of this tenant. */
  readonly unsubscribedAt: string | null;
  /** Since when nothing is sent there, because a mail server refused the address. */
  readonly stoppedAt: string | null;
  /** The last letter that was refused for good or came back. */
  readonly lastRefusal: { readonly at: string; readonly reason: string } | null;
}

/** The addresses of a form's draft and of the version that is served. @throws Problem `not_found` (404) */
export async function listRecipients(
  context: TenantContext,
  ground: Pick<StudioGround, 'recipients'>,
  formId: string,
): Promise<Recipient[]> {
  const scope = context.require(readStudio);
  const asking = askingBy(context.tenant, async (statement) => scope.read(statement));
  const { all, published } = await namedBy(asking, formId);
  return (await addressees(asking, ground.recipients, all)).map((one) => presentRecipient(one, published));
}

/** @throws Problem `not_found` (404) */
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
  { address, standing, state, told }: Addressee,
  published: ReadonlySet<string>,
): Recipient => {
  const isPublished = published.has(address);
  const refused = state?.refused ?? null;
  return {
    address,
    standing,
    told: told && isPublished,
    published: isPublished,
    askedAt: state?.askedAt?.toISOString() ?? null,
    confirmedAt: state?.confirmedAt?.toISOString() ?? null,
    unsubscribedAt: state?.unsubscribedAt?.toISOString() ?? null,
    stoppedAt: state?.stoppedAt?.toISOString() ?? null,
    lastRefusal: refused === null ? null : { at: refused.at.toISOString(), reason: refused.reason },
  };
};
