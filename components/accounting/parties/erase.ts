import { announcement, event } from '../events.ts';
import { contentOf } from '../contents.ts';
import { sql, type TenantTransaction } from '@steward/sql';

/** Documents named by one event at most: payloads are limited. */
const mostTogether = 500;

export interface ErasedParties {
  readonly parties: readonly {
    readonly partyId: string;
    /** Something is booked for it, and a booking names whom it is with. */
    readonly nameKept: boolean;
  }[];
  /** Ids of those whose name goes as well, and of their documents that were never issued; where it was erased before, of what is new. */
  readonly ids: readonly string[];
  /**
   * What to search for in other components: addresses, and ids of parties whose name stays. The id also finds data with
   * earlier addresses, which nobody knows any more.
   */
  readonly values: readonly string[];
}

/** By contacts that are the same person, or by their own ids where they are linked with nobody. */
export interface Whose {
  readonly contactIds?: readonly string[];
  readonly partyIds?: readonly string[];
}

/**
 * Erases what the books need not keep of a person: the addresses, the VAT number, and documents that were never issued, with their files. If
 * nothing was ever booked for the party, it also erases the name, the tax id and the W-9. Issued documents and payments stay with their texts, under the name that they have. The
 * caller must have checked that this person may ask for it, and must have erased the contacts before in this transaction.
 */
export async function eraseParties(
  tx: TenantTransaction,
  { contactIds = [], partyIds = [] }: Whose,
  reason: string,
): Promise<ErasedParties> {
  const { tenant } = tx.context;
  const held = await tx.query<{ party_id: string; email: string | null; fresh: boolean; booked: boolean }>(sql`
    select p.party_id, p.email, p.erased_at is null as fresh,
      exists (select from accounting.document d
        where d.tenant_id = p.tenant_id and d.party_id = p.party_id and d.entry_id is not null)
      or exists (select from accounting.payment y where y.tenant_id = p.tenant_id and y.party_id = p.party_id) as booked
    from accounting.party p where p.tenant_id = ${tenant}::uuid
      and (p.contact_id = any (${contactIds}::uuid[]) or (p.party_id = any (${partyIds}::uuid[]) and p.contact_id is null))
    order by p.party_id for update`);
  for (const { party_id: id, booked } of held.filter(({ fresh }) => fresh)) {
    await tx.query(sql`
      update accounting.party set email = null, address = null, vat_number = null, erased_at = clock_timestamp(), salt = gen_random_uuid()
      where tenant_id = ${tenant}::uuid and party_id = ${id}::uuid`);
    if (!booked) {
      await tx.query(sql`
        update accounting.party set name = 'Erased', tax_id_last4 = null, archived_at = coalesce(archived_at, clock_timestamp())
        where tenant_id = ${tenant}::uuid and party_id = ${id}::uuid`);
      await tx.query(sql`
        update accounting.taxpayer set legal_name = null, tin_kind = null, tin_sealed = null, tin_last4 = null
        where tenant_id = ${tenant}::uuid and party_id = ${id}::uuid`);
    }
    tx.record(
      event('accounting.party.erased', {
        party_id: id,
        name_kept: booked,
        reason,
        content_sha256: await contentOf(tx, 'party', id),
      }),
    );
  }
  const unbooked = held.filter(({ booked }) => !booked);
  const documents = await eraseUnissued(
    tx,
    held.map(({ party_id: id }) => id),
    reason,
  );
  return {
    parties: held.map(({ party_id: partyId, booked }) => ({ partyId, nameKept: booked })),
    ids: [...unbooked.filter(({ fresh }) => fresh).map(({ party_id: id }) => id), ...documents],
    values: held
      .filter(({ fresh }) => fresh)
      .flatMap(({ party_id: id, email, booked }) => [...(booked ? [id] : []), ...(email === null ? [] : [email])]),
  };
}

/** Documents of these that were never issued, with lines and files; answers their ids. */
async function eraseUnissued(
  tx: TenantTransaction,
  partyIds: readonly string[],
  reason: string,
): Promise<readonly string[]> {
  const rows = await tx.query<{ document_id: string }>(sql`
    select document_id from accounting.document
    where tenant_id = ${tx.context.tenant}::uuid and party_id = any (${partyIds}::uuid[]) and entry_id is null
    order by document_id`);
  const all = rows.map(({ document_id: id }) => id);
  for (let from = 0; from < all.length; from += mostTogether) {
    const documentIds = all.slice(from, from + mostTogether);
    await tx.query(sql`select accounting.erase_unissued(${documentIds}::uuid[])`);
    const causationId = tx.record(event('accounting.document.erased', { document_ids: documentIds, reason }));
    tx.publish(announcement('accounting.document.erased', { documentIds }, { causationId }));
  }
  return all;
}
