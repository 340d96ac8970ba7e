import { field } from '@steward/contract';
import { newId } from '@steward/kernel';
import { happened, statement, type TenantTransaction } from '@steward/sql';
import { digestOf } from '@steward/verification';
import { z } from 'zod';
import { event } from '../events.ts';
import { camelRefs, refs, type Refs } from '../refs.ts';

interface Stored {
  readonly given: boolean;
  readonly at: string;
  readonly source: Refs;
}

/** SQL: of what a row of `crm.contact` says of it. Verification makes the same from the rows. */
export const consentDigest = digestOf(`'marketing_consent/v1', marketing_consent`);
/** SQL: the same of a row that says nothing. */
export const noConsent = digestOf(`'marketing_consent/v1', null::jsonb`);

/** Whether the person may be sent news: what was said last, when, and where it came from. Null: nobody has said. */
export const marketingConsent = field(
  z.object({ given: z.boolean(), at: z.iso.datetime(), source: refs }).nullable(),
  undefined,
  (stored) => {
    // Whatever somebody made of the row can be shown: an approval compares it.
    const said = stored as Partial<Stored> | null;
    return said === null
      ? null
      : { given: said.given === true, at: said.at ?? '', source: camelRefs(said.source ?? {}) };
  },
);

/**
 * Writes what is said of it, on the timeline too, unless it stands so already: the first time and place of a consent are what it is proved by. The contact is locked
 * by its caller.
 * @param stranger it is said by whoever knows the address: a refusal that is kept stays, and it holds for no other address of the contact
 * @returns whether anything changed
 */
export async function sayConsent(
  tx: TenantTransaction,
  contactId: string,
  { given, source }: Pick<Stored, 'given' | 'source'>,
  stranger?: { readonly emailKey: string | undefined },
): Promise<boolean> {
  const [changed] = await tx.query<{ digest: string }>(
    statement(
      `with said as (update crm.contact set test = false, version = version + 1, updated_at = clock_timestamp(), marketing_consent = jsonb_build_object(
        'given', $3::boolean, 'source', $4::jsonb, 'at', to_char(${happened} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
       where tenant_id = $1::uuid and contact_id = $2::uuid and (marketing_consent ->> 'given')::boolean is distinct from $3::boolean
         and not ($5::boolean and (marketing_consent is not null or email_key is distinct from $8 and email_key is not null))
       returning contact_id, ${consentDigest} as digest),
       told as (insert into crm.timeline_entry (tenant_id, contact_id, entry_id, kind, refs)
         select $1::uuid, contact_id, $6::uuid, $7, $4::jsonb - 'kind' from said)
       select digest from said`,
      [
        tx.context.tenant,
        contactId,
        given,
        JSON.stringify(source),
        stranger !== undefined,
        newId(),
        given ? 'consent.given' : 'consent.refused',
        stranger?.emailKey,
      ],
    ),
  );
  if (changed !== undefined) recordConsent(tx, contactId, given, changed.digest);
  return changed !== undefined;
}

/**
 * Ends a yes, which the timeline tells: the contact has another e-mail address now, whose owner has not said it. A no stays, and one that was said of the new address
 * before it was merged holds again.
 * @param aliases contacts whose address it was
 * @returns whether anything changed
 */
export async function moveConsent(
  tx: TenantTransaction,
  contactId: string,
  aliases: readonly string[] = [],
): Promise<boolean> {
  const [changed] = await tx.query<{ digest: string }>(
    statement(
      `with refused as (select marketing_consent from crm.contact
         where tenant_id = $1::uuid and contact_id = any ($3::uuid[]) and marketing_consent ->> 'given' = 'false' limit 1),
       moved as (update crm.contact set marketing_consent = (select marketing_consent from refused)
         where tenant_id = $1::uuid and contact_id = $2::uuid and (marketing_consent ->> 'given' = 'true'
           or marketing_consent is null and exists (select from refused))
         returning marketing_consent, ${consentDigest} as digest),
       told as (insert into crm.timeline_entry (tenant_id, contact_id, entry_id, kind, refs)
         select $1::uuid, $2::uuid, $4::uuid,
           case when marketing_consent is null then 'consent.ended' else 'consent.refused' end, '{}' from moved)
       select digest from moved`,
      [tx.context.tenant, contactId, aliases, newId()],
    ),
  );
  if (changed !== undefined) recordConsent(tx, contactId, false, changed.digest);
  return changed !== undefined;
}

/** @param digest as `consentDigest` of the row makes it */
export const recordConsent = (tx: TenantTransaction, contactId: string, given: boolean, digest: string): void =>
  void tx.record(event('crm.contact.consent_changed', { contact_id: contactId, given, content_sha256: digest }));
