import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { newId } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';

/** What is known of an address that the tenant wrote to, or whose reader answered. */
export interface AddressState {
  /** What events call it. */
  readonly id: string;
  /** When it was last asked whether it wants emails. */
  readonly askedAt: Date | null;
  readonly confirmedAt: Date | null;
  readonly unsubscribedAt: Date | null;
  /** The last email that a mail server refused for good: `smtp_550`, `bounced` … */
  readonly refused: { readonly at: Date; readonly reason: string } | null;
  /** Since when nothing is sent there, because the address itself was refused. */
  readonly stoppedAt: Date | null;
}

/** Two mailboxes never differ by case alone. */
export const foldedAddress = (address: string): string => address.toLowerCase();

/**
 * SHA-256 of an address, in hex: all that is kept of it beside the emails that are still to be sent. One mailbox has one, however its domain is
 * written: mail to ＧＭＡＩＬ.com goes to gmail.com, and limits that count an address would count each spelling by itself.
 */
export const addressDigest = (address: string): string => {
  const at = address.lastIndexOf('@') + 1;
  const domain = domainToASCII(address.slice(at)) || address.slice(at);
  return createHash('sha256')
    .update(foldedAddress(address.slice(0, at) + domain))
    .digest('hex');
};

/** What is known, by digest; of most addresses that is nothing. */
export async function addressStates(
  { context, query }: Pick<TenantTransaction, 'query'> & { readonly context: { readonly tenant: string } },
  digests: readonly string[],
): Promise<ReadonlyMap<string, AddressState>> {
  if (digests.length === 0) return new Map();
  const rows = await query<AddressRow>(sql`
    select encode(address, 'hex') as digest, address_id, asked_at, confirmed_at, unsubscribed_at, refused_at, reason, stopped_at
    from mail.address
    where tenant_id = ${context.tenant}::uuid and address in (select decode(d, 'hex') from unnest(${[...digests]}::text[]) d)`);
  return new Map(rows.map((row) => [row.digest, presentState(row)]));
}

/** Whether anything is sent there at all. */
export const isWritable = (state: AddressState | undefined): boolean =>
  state === undefined || (state.unsubscribedAt === null && state.stoppedAt === null);

interface AddressRow extends Record<string, unknown> {
  readonly digest: string;
  readonly address_id: string;
  readonly asked_at: Date | null;
  readonly confirmed_at: Date | null;
  readonly unsubscribed_at: Date | null;
  readonly refused_at: Date | null;
  readonly reason: string;
  readonly stopped_at: Date | null;
}

const presentState = (row: AddressRow): AddressState => ({
  id: row.address_id,
  askedAt: row.asked_at,
  confirmedAt: row.confirmed_at,
  unsubscribedAt: row.unsubscribed_at,
  refused: row.refused_at === null ? null : { at: row.refused_at, reason: row.reason },
  stoppedAt: row.stopped_at,
});

interface Marked extends Record<string, unknown> {
  readonly address_id: string;
}

/** Each of these answers the id of an address that was not so before, else undefined, however many say it at once. */

export async function markConfirmed(tx: TenantTransaction, digest: string): Promise<string | undefined> {
  const [row] = await tx.query<Marked>(sql`
    insert into mail.address as a (tenant_id, address, address_id, confirmed_at)
    values (${tx.context.tenant}::uuid, decode(${digest}, 'hex'), ${newId()}::uuid, clock_timestamp())
    on conflict (tenant_id, address) do update set confirmed_at = excluded.confirmed_at
      where a.confirmed_at is null or a.confirmed_at < a.asked_at
    returning address_id`);
  return row?.address_id;
}

export async function markUnsubscribed(tx: TenantTransaction, digest: string): Promise<string | undefined> {
  const [row] = await tx.query<Marked>(sql`
    insert into mail.address as a (tenant_id, address, address_id, unsubscribed_at)
    values (${tx.context.tenant}::uuid, decode(${digest}, 'hex'), ${newId()}::uuid, clock_timestamp())
    on conflict (tenant_id, address) do update set unsubscribed_at = excluded.unsubscribed_at where a.unsubscribed_at is null
    returning address_id`);
  return row?.address_id;
}

export async function markResubscribed(tx: TenantTransaction, digest: string): Promise<string | undefined> {
  const [row] = await tx.query<Marked>(sql`
    update mail.address set unsubscribed_at = null
    where tenant_id = ${tx.context.tenant}::uuid and address = decode(${digest}, 'hex') and unsubscribed_at is not null
    returning address_id`);
  return row?.address_id;
}

/** Nobody is asked twice within a day. */
export async function markAsked(tx: TenantTransaction, digest: string): Promise<string | undefined> {
  const [row] = await tx.query<Marked>(sql`
    insert into mail.address as a (tenant_id, address, address_id, asked_at)
    values (${tx.context.tenant}::uuid, decode(${digest}, 'hex'), ${newId()}::uuid, clock_timestamp())
    on conflict (tenant_id, address) do update set asked_at = excluded.asked_at
      where a.asked_at is null or a.asked_at < clock_timestamp() - interval '1 day'
    returning address_id`);
  return row?.address_id;
}

/**
 * An email was refused for good. `stops`: for the address's sake, so that nothing more is sent there. Said once a day, and when it stops.
 * @param reason `smtp_550` and the like
 */
export async function markRefused(
  tx: TenantTransaction,
  digest: string,
  { reason, stops }: { readonly reason: string; readonly stops: boolean },
): Promise<string | undefined> {
  const [row] = await tx.query<Marked>(sql`
    insert into mail.address as a (tenant_id, address, address_id, refused_at, reason, stopped_at)
    values (${tx.context.tenant}::uuid, decode(${digest}, 'hex'), ${newId()}::uuid, clock_timestamp(), ${reason},
      case when ${stops} then clock_timestamp() end)
    on conflict (tenant_id, address) do update
      set refused_at = excluded.refused_at, reason = excluded.reason, stopped_at = excluded.stopped_at
      where a.stopped_at is null and (excluded.stopped_at is not null or a.refused_at is null
        or a.refused_at < clock_timestamp() - interval '1 day')
    returning address_id`);
  return row?.address_id;
}

/** A refused address is tried again. */
export async function markFreed(tx: TenantTransaction, digest: string): Promise<string | undefined> {
  const [row] = await tx.query<Marked>(sql`
    update mail.address set refused_at = null, reason = null, stopped_at = null
    where tenant_id = ${tx.context.tenant}::uuid and address = decode(${digest}, 'hex') and refused_at is not null
    returning address_id`);
  return row?.address_id;
}
