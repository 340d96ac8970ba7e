import { asItWas, operation } from '@steward/access';
import { fail } from '@steward/kernel';
import { sql, statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { merges } from '../operations.ts';
import { type Contact, contact, membersBy, type Said, saidBy, settingTold, type Telled, toldKeys } from './contact.ts';
import { renewTerms } from './terms.ts';
import { discarded, lostKeys, type Discarded } from './discarded.ts';
import { contactIn } from './get.ts';
import { noteOnTimeline } from '../timeline/entry.ts';
import { recordMerged } from './record.ts';
import { consentDigest, recordConsent } from './consent.ts';

const merged = z.object({
  contact: contact.answer,
  /** What the contact did not have and took over: `email`, `phone`, `name`, `custom.<key>`, and `marketing_consent` where that of the other holds from now on. */
  filled: z.array(z.string()),
  /** Values of the other contact that were not taken over, because the contact had its own. */
  discarded,
  /** Entries of the timeline that came along. */
  entries: z.int(),
});

/**
 * Makes two contacts one. The first keeps what it has and takes what it lacks; the timeline of the second comes along, and
 * its id, e-mail address and phone lead to the first for ever. What the first does not take is kept. This cannot be taken back.
 * Merged already is success.
 * @throws Problem `invalid_request` (400) for one id twice, `not_found` (404)
 */
export const mergeContacts = operation(
  {
    ...merges,
    name: 'service_merge_contacts',
    input: z.strictObject({
      contactId: z.uuid().meta({ description: 'The contact that stays.' }),
      duplicateId: z
        .uuid()
        .meta({ description: 'The contact that is merged into the other. It is no contact of its own afterwards.' }),
    }),
    answer: merged,
    errors: ['not_found'],
  },
  async (scope, { contactId, duplicateId }) =>
    scope.write(async (tx) => {
      const { tenant } = tx.context;
      const both = await bothLocked(tx, contactId, duplicateId);
      if (both.length === 1) return asItWas({ contact: both[0], filled: [], discarded: {}, entries: 0 });
      const [keep, merge] = both;
      const custom = Object.fromEntries(
        Object.entries(merge.custom).filter(([key]) => !Object.hasOwn(keep.custom, key)),
      );
      const filled = [
        ...toldKeys.filter((key) => keep[key] === null && merge[key] !== null),
        ...Object.keys(custom)
          .toSorted()
          .map((key) => `custom.${key}`),
      ];
      const left = discardedOf(keep, merge);
      const speaks = speaking(keep, merge);
      if (speaks === merge && (keep.marketingConsent ?? merge.marketingConsent) !== null)
        filled.push('marketing_consent');
      const [email, phone] = [filled.includes('email'), filled.includes('phone')];
      const after: Telled = {
        ...membersBy((key) => keep[key] ?? merge[key]),
        custom: { ...custom, ...keep.custom },
      };
      const [now, old, other] = [saidBy(after), saidBy(keep), saidBy(merge)];
      const [keepAlone, mergeAlone] = [old, other].map((one) => one.email === undefined && one.phone === undefined);
      await tx.query(sql`
      update crm.contact set merged_into = ${keep.id}::uuid where tenant_id = ${tenant}::uuid and merged_into = ${merge.id}::uuid`);
      // An address and a phone that the first does not take over still lead there.
      const stays: Said = {
        ...(email || other.email === undefined ? {} : { email: other.email }),
        ...(phone || other.phone === undefined ? {} : { phone: other.phone }),
        custom: {},
      };
      const signpost: unknown[] = [tenant, merge.id, keep.id, JSON.stringify(left)];
      await tx.query(
        statement(
          `update crm.contact set ${settingTold(stays, signpost)}, merged_into = $3::uuid, archived_at = null,
             discarded = $4::jsonb, version = version + 1, updated_at = clock_timestamp()
           where tenant_id = $1::uuid and contact_id = $2::uuid`,
          signpost,
        ),
      );
      const kept: unknown[] = [tenant, keep.id, keep.test && merge.test, speaks.id];
      const [stayed] = await tx.query<{ digest: string }>(
        statement(
          `update crm.contact set ${settingTold(now, kept)}, archived_at = null, test = $3::boolean,
             marketing_consent = (select o.marketing_consent from crm.contact o where o.tenant_id = $1::uuid and o.contact_id = $4::uuid),
             version = version + 1, updated_at = clock_timestamp()
           where tenant_id = $1::uuid and contact_id = $2::uuid returning ${consentDigest} as digest`,
          kept,
        ),
      );
      // A name alone identifies a contact only while nothing better is known of it. From now on the name leads to the contact that stays.
      const borne = mergeAlone ? other.name : keepAlone ? old.name : undefined;
      if (borne !== undefined)
        await tx.query(sql`
        update crm.contact set name_key = ${borne.key}
        where tenant_id = ${tenant}::uuid and contact_id = ${merge.id}::uuid`);
      await tx.query(sql`
      delete from crm.contact_term where tenant_id = ${tenant}::uuid and contact_id = ${merge.id}::uuid`);
      await renewTerms(tx, keep.id, now);
      const moved = await tx.query(sql`
      update crm.timeline_entry set contact_id = ${keep.id}::uuid
      where tenant_id = ${tenant}::uuid and contact_id = ${merge.id}::uuid returning entry_id`);
      await noteOnTimeline(tx, { contactId: keep.id, kind: 'contact.merged', refs: { merged_id: merge.id } });
      if (filled.includes('marketing_consent') && speaks.marketingConsent === null)
        await noteOnTimeline(tx, { contactId: keep.id, kind: 'consent.ended', refs: {} });
      recordMerged(tx, keep.id, merge.id, filled);
      if (stayed !== undefined && filled.includes('marketing_consent'))
        recordConsent(tx, keep.id, speaks.marketingConsent?.given === true, stayed.digest);
      return {
        contact: await contactIn(tx, keep.id),
        filled,
        discarded: left,
        entries: moved.length,
      };
    }),
);

/** Whose word about news holds: of the one whose address remains, because a yes is of an address; a later no of the other is the person's. */
function speaking(keep: Contact, merge: Contact): Contact {
  const stays = keep.email !== null || (merge.email === null && (keep.phone !== null || merge.phone === null));
  const [own, other] = stays ? [keep, merge] : [merge, keep];
  const refused = other.marketingConsent?.given === false ? other.marketingConsent.at : '';
  return refused > (own.marketingConsent?.at ?? '') ? other : own;
}

function discardedOf(keep: Contact, merge: Contact): Discarded {
  const custom = Object.fromEntries(
    Object.entries(merge.custom).filter(
      ([key, value]) => Object.hasOwn(keep.custom, key) && JSON.stringify(keep.custom[key]) !== JSON.stringify(value),
    ),
  );
  const lost = lostKeys.filter((key) => keep[key] !== null && merge[key] !== null && keep[key] !== merge[key]);
  return {
    ...Object.fromEntries(lost.map((key) => [key, merge[key]])),
    ...(Object.keys(custom).length === 0 ? {} : { custom }),
  };
}

/** Fields, as `filled` names them. */
export const fieldsOf = ({ custom = {}, ...told }: Discarded): string[] => [
  ...Object.keys(told),
  ...Object.keys(custom)
    .toSorted()
    .map((key) => `custom.${key}`),
];

/**
 * Locked in the order of their ids, so that two merges never wait for one another crosswise; and against those who are adding to
 * a timeline, so that no entry comes after the move. One where they are one contact already.
 */
async function bothLocked(
  tx: TenantTransaction,
  keep: string,
  merge: string,
): Promise<readonly [Contact] | readonly [Contact, Contact]> {
  for (;;) {
    const [kept, merged] = [await contactIn(tx, keep), await contactIn(tx, merge)];
    if (keep.toLowerCase() === merge.toLowerCase())
      throw fail('invalid_request', 'Both ids are the same: give two different contacts.', {
        errors: [{ pointer: '/duplicateId', code: 'invalid_value', detail: 'This is the contact itself.' }],
      });
    if (kept.id === merged.id) return [kept];
    const held = await tx.query(sql`
      select from crm.contact where tenant_id = ${tx.context.tenant}::uuid
        and contact_id in (${kept.id}::uuid, ${merged.id}::uuid) and merged_into is null order by contact_id for update`);
    if (held.length === 2) return [await contactIn(tx, kept.id), await contactIn(tx, merged.id)];
  }
}
