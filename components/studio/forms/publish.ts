import { asItWas, operation } from '@steward/access';
import { versionNumber } from '@steward/contract';
import { fail } from '@steward/kernel';
import { addressDigest } from '@steward/mail';
import { sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { contentOf } from '../contents.ts';
import { studioFail } from '../errors.ts';
import { event } from '../events.ts';
import type { ContactFields, StudioDeps } from '../deps.ts';
import { requireRoom } from '../limits.ts';
import { changes } from '../operations.ts';
import { documentText } from './document.ts';
import { byForm, holdForm, settled, type Form } from './form.ts';
import { askNew } from '../recipients/ask.ts';
import { addressees, takesPeople } from '../recipients/recipient.ts';
import { requirePublishable } from './publishable.ts';
import type { FormDefinition } from './definition.ts';
import { formVersionIn } from './versions.ts';

const published = z.object({
  formId: z.uuid(),
  siteId: z.uuid(),
  /** Of the draft. */
  name: z.string(),
  /** The version that is served now. */
  version: z.int(),
  previousVersion: z.int().nullable(),
  /** False where this was served already. */
  changed: z.boolean(),
  strangers: z.array(z.string()).meta({
    description:
      'Addresses that get submissions from now on, and are neither a member’s nor confirmed by their reader, nor were served before.',
  }),
  /** Where pages read what is served, and submit to. */
  schemaUrl: z.string(),
  submitUrl: z.string(),
  embed: z.string().meta({ description: 'HTML to paste into a page, with a key of the site in place of `pk_live_…`.' }),
});

/** The address at which pages find a form; a key is shown only when it is issued, so its owner adds it. */
function served(storefront: string, formId: string) {
  const base = `${storefront}/forms/${formId}`;
  return {
    schemaUrl: `${base}/schema`,
    submitUrl: `${base}/submit`,
    embed: `<script type="module" src="${storefront}/sdk.js"></script>\n<storefront-form form-id="${formId}" sdk-key="pk_live_…"></storefront-form>`,
  };
}

/**
 * Makes the draft an immutable version, the next number, and serves it; or serves the older `version` again, where one
 * is named. A draft that was published as it is gets no second number.
 * @throws Problem `not_found` (404), `form_not_publishable` (400) with pointers, `form_changed` (409) when `revision` is
 *   given and is not the draft's, `form_version_limit` (409)
 */
export const publishForm = operation(
  {
    ...changes,
    name: 'service_publish_form',
    input: z.strictObject({
      ...byForm,
      version: versionNumber
        .optional()
        .meta({ description: 'Number of an older version to show instead of the draft.' }),
      revision: versionNumber.optional().meta({ description: 'Publishes only if the draft still has this revision.' }),
    }),
    answer: published,
    errors: [
      'form_version_limit',
      'insufficient_role',
      'form_not_found',
      'not_found',
      'form_not_publishable',
      'form_changed',
    ],
  },
  async (scope, { formId, version, revision }, deps: StudioDeps) =>
    scope.write(async (tx) => {
      const { held, draft } = await holdForm(tx, formId);
      if (revision !== undefined && revision !== held.revision)
        throw studioFail(
          'form_changed',
          `The draft was changed and now has revision ${held.revision}: read it again before you publish it.`,
        );
      const older = version ?? (held.hasUnpublishedChanges ? null : (held.activeVersion ?? held.latestVersion));
      const custom = await deps.contactFields(tx);
      const next =
        older === null
          ? await addVersion(tx, deps, held, draft, custom)
          : await existingVersion(tx, held, older, custom);
      const answer = {
        formId: held.id,
        siteId: held.siteId,
        name: held.name,
        version: next,
        previousVersion: held.activeVersion,
        changed: next !== held.activeVersion,
        strangers: await strangersOf(tx, deps, held, next),
        ...served(deps.storefront, held.id),
      };
      if (!answer.changed) return asItWas(answer);
      await tx.query(sql`
        update studio.form set active_version = ${next}::int, latest_version = greatest(latest_version, ${next}::int)
        where tenant_id = ${tx.context.tenant}::uuid and form_id = ${formId}::uuid`);
      const told = { form_id: held.id, version: next, previous_version: held.activeVersion };
      tx.record({
        ...(older === null
          ? event('studio.form.published', {
              ...told,
              content_sha256: await contentOf(tx, 'version', `${held.id} ${next}`),
            })
          : event('studio.form.activated', told)),
        ...takesPeople(answer.strangers),
      });
      if (!deps.recipients.toStrangers) await askStrangers(tx, deps, held.id, next);
      tx.afterCommit(() => deps.forget.form(held.id));
      return answer;
    }),
);

/** Whom a version has written to, and the version that visitors see does not: about strangers a person decides, whatever the draft said before. */
async function strangersOf(
  tx: TenantTransaction,
  { recipients }: Pick<StudioDeps, 'recipients'>,
  { id, activeVersion }: Form,
  version: number,
): Promise<string[]> {
  const of = async (one: number): Promise<readonly string[]> =>
    (await formVersionIn(tx, id, one))?.notificationEmails ?? [];
  if (version === activeVersion) return [];
  const before = new Set((activeVersion === null ? [] : await of(activeVersion)).map(addressDigest));
  return (await addressees(tx, recipients, await of(version)))
    .filter(({ standing, digest }) => standing === 'unconfirmed' && !before.has(digest))
    .map(({ address }) => address);
}

async function askStrangers(
  tx: TenantTransaction,
  { recipients }: Pick<StudioDeps, 'recipients'>,
  formId: string,
  version: number,
): Promise<void> {
  const { notificationEmails = [] } = (await formVersionIn(tx, formId, version)) ?? {};
  await askNew(tx, recipients, formId, await addressees(tx, recipients, notificationEmails));
}

async function addVersion(
  tx: TenantTransaction,
  deps: StudioDeps,
  form: Form,
  draft: string,
  custom: ContactFields,
): Promise<number> {
  // Once more: the rules for drafts may have become stricter since this one was written.
  const definition = settled(form.name, form);
  requirePublishable(definition, custom);
  await requireRoom(tx, deps.limits, 'version');
  const next = form.latestVersion + 1;
  const { tenant, caller } = tx.context;
  await tx.query(sql`
    insert into studio.form_version (tenant_id, form_id, version, site_id, name, definition, document, published_by)
    values (${tenant}::uuid, ${form.id}::uuid, ${next}::int, ${form.siteId}::uuid, ${form.name}, ${draft},
      ${documentText(form, next, definition)}, ${`${caller.type}:${caller.id}`})`);
  return next;
}

async function existingVersion(
  tx: TenantTransaction,
  form: Form,
  version: number,
  custom: ContactFields,
): Promise<number> {
  const [row] = await tx.query<{ definition: string }>(sql`
    select definition from studio.form_version
    where tenant_id = ${tx.context.tenant}::uuid and form_id = ${form.id}::uuid and version = ${version}::int`);
  if (row === undefined)
    throw fail('not_found', `The form has no version ${version}: its latest version is ${form.latestVersion}.`);
  if (version !== form.activeVersion) requirePublishable(JSON.parse(row.definition) as FormDefinition, custom);
  return version;
}
