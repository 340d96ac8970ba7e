import { fail } from '@steward/kernel';
import { sql, type TenantContext, type TenantTransaction } from '@steward/sql';
import { studioFail } from '../errors.ts';
import { event } from '../events.ts';
import type { ContactFields, StudioGround } from '../ground.ts';
import { requireRoom } from '../limits.ts';
import { manageStudio } from '../permissions.ts';
import { documentText } from './document.ts';
import { holdForm, settled, type HeldForm } from './form.ts';
import { askNew } from '../recipients/ask.ts';
import { addressees } from '../recipients/recipient.ts';
import { requirePublishable } from './publishable.ts';
import type { FormDefinition } from './definition.ts';
import { formVersionIn } from './versions.ts';

export interface Published {
  readonly formId: string;
  readonly siteId: string;
  /** The version that is served now. */
  readonly version: number;
  readonly previousVersion: number | null;
  /** False where this was served already. */
  readonly changed: boolean;
}

/**
 * Makes the draft an immutable version, the next number, and serves it; or serves the older `version` again, where one
 * is named. A draft that was published as it is gets no second number.
 * @throws Problem `not_found` (404), `form_not_publishable` (400) with pointers, `form_changed` (409) when `revision` is
 *   given and is not the draft's, `form_version_limit` (409)
 */
export async function publishForm(
  context: TenantContext,
  ground: StudioGround,
  formId: string,
  { version, revision }: { version?: number | undefined; revision?: number | undefined } = {},
): Promise<Published> {
  return context.require(manageStudio).write(async (tx) => {
    const form = await holdForm(tx, formId);
    if (revision !== undefined && revision !== form.revision)
      throw studioFail('form_changed', `The draft is at revision ${form.revision}: look at it before publishing it.`);
    const served = version ?? (form.hasUnpublishedChanges ? null : (form.activeVersion ?? form.latestVersion));
    const custom = await ground.contactFields(tx);
    const next =
      served === null ? await addVersion(tx, ground, form, custom) : await existingVersion(tx, form, served, custom);
    const answer = {
      formId: form.id,
      siteId: form.siteId,
      version: next,
      previousVersion: form.activeVersion,
      changed: next !== form.activeVersion,
    };
    if (!answer.changed) return answer;
    await tx.query(sql`
      update studio.form set active_version = ${next}::int, latest_version = greatest(latest_version, ${next}::int)
      where tenant_id = ${context.tenant}::uuid and form_id = ${formId}::uuid`);
    tx.record(
      event(served === null ? 'studio.form.published' : 'studio.form.activated', {
        form_id: form.id,
        version: next,
        previous_version: form.activeVersion,
      }),
    );
    if (!ground.recipients.toStrangers) await askStrangers(tx, ground, form.id, next);
    tx.afterCommit(() => ground.forget.form(form.id));
    return answer;
  });
}

async function askStrangers(
  tx: TenantTransaction,
  { recipients }: Pick<StudioGround, 'recipients'>,
  formId: string,
  version: number,
): Promise<void> {
  const { notificationEmails = [] } = (await formVersionIn(tx, formId, version)) ?? {};
  await askNew(tx, recipients, formId, await addressees(tx, recipients, notificationEmails));
}

async function addVersion(
  tx: TenantTransaction,
  ground: StudioGround,
  form: HeldForm,
  custom: ContactFields,
): Promise<number> {
  // Once more: the rules for drafts may have become stricter since this one was written.
  const definition = settled(form.name, form);
  requirePublishable(definition, custom);
  await requireRoom(tx, ground.limits, 'version');
  const next = form.latestVersion + 1;
  const { tenant, caller } = tx.context;
  await tx.query(sql`
    insert into studio.form_version (tenant_id, form_id, version, site_id, name, definition, document, published_by)
    values (${tenant}::uuid, ${form.id}::uuid, ${next}::int, ${form.siteId}::uuid, ${form.name}, ${form.draftText},
      ${documentText(form, next, definition)}, ${`${caller.type}:${caller.id}`})`);
  return next;
}

async function existingVersion(
  tx: TenantTransaction,
  form: HeldForm,
  version: number,
  custom: ContactFields,
): Promise<number> {
  const [row] = await tx.query<{ definition: string }>(sql`
    select definition from studio.form_version
    where tenant_id = ${tx.context.tenant}::uuid and form_id = ${form.id}::uuid and version = ${version}::int`);
  if (row === undefined)
    throw fail('not_found', `The form has no version ${version}: its latest is ${form.latestVersion}.`);
  if (version !== form.activeVersion) requirePublishable(JSON.parse(row.definition) as FormDefinition, custom);
  return version;
}
