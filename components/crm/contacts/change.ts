import { sql, statement, type TenantTransaction } from '@steward/sql';
import { crmFail } from '../errors.ts';
import { type Contact, memberOf, membersBy, type Said, saidBy, settingTold, type Telled, toldKeys } from './contact.ts';
import { moveConsent } from './consent.ts';
import { renewTerms } from './terms.ts';
import { ownersOf } from './owners.ts';

export interface Changes {
  readonly said: Said;
  /** Keys whose values are taken away: `email`, `phone`, `name`, or of custom fields. */
  readonly cleared: ReadonlySet<string>;
  readonly archived?: boolean | undefined;
}

/**
 * Writes changes to a contact that the transaction has locked. Answers what changed: `email`, `phone`, `name`, `custom.<key>`; `test`, if it
 * was a test contact and the call changes something, because it then is a real one; `marketing_consent`, if another address ends it.
 * @throws Problem `contact_identity_required` (400), `contact_conflict` (409) naming who has the address or phone
 */
export async function changeContact(
  tx: TenantTransaction,
  before: Contact,
  { said, cleared, archived = before.archived }: Changes,
): Promise<string[]> {
  const after: Telled = {
    ...membersBy((key) => (cleared.has(key) ? null : (memberOf(key, said) ?? before[key]))),
    custom: {
      ...Object.fromEntries(Object.entries(before.custom).filter(([key]) => !cleared.has(key))),
      ...said.custom,
    },
  };
  const shelved = archived !== before.archived;
  const { custom, ...identity } = said;
  const touched = shelved || cleared.size > 0 || Object.keys(custom).length > 0 || Object.keys(identity).length > 0;
  const changed = [...changedFields(before, after), ...(before.test && touched ? ['test'] : [])];
  if (changed.length === 0 && !shelved) return [];
  const now = saidBy(after);
  if (now.email === undefined && now.phone === undefined && now.name === undefined)
    throw crmFail(
      'contact_identity_required',
      'A contact must keep an e-mail address, a phone or a name: give one of them a value.',
    );
  await requireFree(tx, before.id, now);
  const old = saidBy(before);
  const aliases = await swapAliases(tx, before.id, old, now, async () => {
    const values: unknown[] = [tx.context.tenant, before.id, archived];
    await tx.query(
      statement(
        `update crm.contact set ${settingTold(now, values)},
           archived_at = case when $3::boolean then coalesce(archived_at, clock_timestamp()) end,
           test = false, version = version + 1, updated_at = clock_timestamp()
         where tenant_id = $1::uuid and contact_id = $2::uuid`,
        values,
      ),
    );
  });
  await renewTerms(tx, before.id, now);
  const moved = now.email?.key !== old.email?.key && (await moveConsent(tx, before.id, aliases));
  return moved ? [...changed, 'marketing_consent'] : changed;
}

function changedFields(before: Contact, after: Telled): string[] {
  const keys = [...new Set([...Object.keys(before.custom), ...Object.keys(after.custom)])].toSorted();
  return [
    ...toldKeys.filter((key) => before[key] !== after[key]),
    ...keys
      .filter((key) => JSON.stringify(before.custom[key]) !== JSON.stringify(after.custom[key]))
      .map((key) => `custom.${key}`),
  ];
}

/** @throws Problem `contact_conflict` (409) where somebody else is known by what this contact is to be known by */
async function requireFree(tx: TenantTransaction, id: string, now: Said): Promise<void> {
  const owners = await ownersOf(tx, now);
  const alone = now.email === undefined && now.phone === undefined;
  for (const kind of ['email', 'phone', 'name'] as const) {
    const owner = owners[kind];
    if (owner !== undefined && owner !== id && (kind !== 'name' || alone)) throw conflictWith(kind, [owner]);
  }
}

/** A contact that was merged into this one gives up the address that this one now takes, and gets its old one. @returns whose address it was */
async function swapAliases(
  tx: TenantTransaction,
  id: string,
  old: Said,
  now: Said,
  write: () => Promise<void>,
): Promise<string[]> {
  const { tenant } = tx.context;
  const [email, phone] = [now.email?.key !== old.email?.key, now.phone !== old.phone];
  const given = email
    ? await tx.query<{ contact_id: string }>(sql`
        update crm.contact set email = null, email_key = null where tenant_id = ${tenant}::uuid
          and email_key = ${now.email?.key ?? null} and merged_into = ${id}::uuid returning contact_id`)
    : [];
  const dialled = phone
    ? await tx.query<{ contact_id: string }>(sql`
        update crm.contact set phone = null where tenant_id = ${tenant}::uuid
          and phone = ${now.phone ?? null} and merged_into = ${id}::uuid returning contact_id`)
    : [];
  await write();
  for (const { contact_id: alias } of given)
    await tx.query(sql`
      update crm.contact set email = ${old.email?.address}, email_key = ${old.email?.key}
      where tenant_id = ${tenant}::uuid and contact_id = ${alias}::uuid`);
  for (const { contact_id: alias } of dialled)
    await tx.query(sql`
      update crm.contact set phone = ${old.phone} where tenant_id = ${tenant}::uuid and contact_id = ${alias}::uuid`);
  return given.map(({ contact_id: alias }) => alias);
}

/** @returns Problem `contact_conflict` (409), with the ids of the contacts */
export function conflictWith(kind: 'email' | 'phone' | 'name', contactIds: readonly string[]): Error {
  const what = { email: 'e-mail address', phone: 'phone', name: 'name, with nothing else known,' }[kind];
  return crmFail(
    'contact_conflict',
    contactIds.length === 2
      ? `The e-mail address belongs to contact ${contactIds[0]} and the phone to contact ${contactIds[1]}. Choose one by ` +
          'its id and leave out what belongs to the other, or merge the two.'
      : `The ${what} belongs to contact ${contactIds[0]}: change that contact, or merge the two.`,
    { members: { contactIds } },
  );
}
