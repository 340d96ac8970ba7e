import { addressDigest } from '@steward/mail';
import { sql, type TenantTransaction } from '@steward/sql';

/**
 * Letters at most in the last 24 hours. Anybody can place orders and give anybody's address: without these, a script could have a shop write
 * to whom it likes. What is over is not sent later either; the order's page says the same.
 */
export const quotas = {
  /** Of a tenant to one address, that an order was placed. */
  placedToAddress: 10,
  /** The same with letters about what members did: sent, cancelled, refunded. */
  toAddress: 30,
  /** Of all tenants together to one address. */
  platformToAddress: 40,
  /** To a member. */
  toMember: 200,
} as const;

export interface Wanted {
  readonly reader: string;
  /** Of somebody who is no member. */
  readonly address?: string;
  /** Letters of a day: of the tenant to all who are no members, or to this one member. */
  readonly most: number;
  readonly mostToAddress?: number;
}

/**
 * Those who may be told, each noted: once for a fact and a reader, however often its event comes. Digests of addresses are forgotten after two
 * days. What several tenants send at the same moment may go over the platform's quota by as many letters as there are tenants.
 */
export async function room(tx: TenantTransaction, about: string, wanted: readonly Wanted[]): Promise<string[]> {
  if (wanted.length === 0) return [];
  const { tenant } = tx.context;
  const given = wanted.map(({ reader, address, most, mostToAddress }) => ({
    reader,
    most,
    address: address === undefined ? null : addressDigest(address),
    to_address: mostToAddress ?? 0,
  }));
  tx.later(sql`
    update orders.letter l set address = null
    where l.tenant_id = ${tenant}::uuid and (l.about, l.reader) in (
      select o.about, o.reader from orders.letter o
      where o.tenant_id = ${tenant}::uuid and o.address is not null and o.told_at < now() - interval '2 days' limit 200)`);
  const rows = await tx.query<{ reader: string; owed: boolean }>(sql`
    insert into orders.letter (tenant_id, about, reader, address, owed)
    select ${tenant}::uuid, ${about}, w.reader, decode(w.address, 'hex'), (
        select count(*) from (
          select from orders.letter l where l.tenant_id = ${tenant}::uuid and l.reader = w.reader and l.owed
            and l.told_at > now() - interval '1 day' limit w.most) sent) < w.most
      and (w.address is null or orders.letters_to(decode(w.address, 'hex')) < ${quotas.platformToAddress}::int and (
        select count(*) from orders.letter l where l.tenant_id = ${tenant}::uuid and l.address = decode(w.address, 'hex') and l.owed
          and l.told_at > now() - interval '1 day') < w.to_address)
    from json_to_recordset(${JSON.stringify(given)}::json) as w (reader text, most int, address text, to_address int)
    order by w.reader on conflict do nothing returning reader, owed`);
  return rows.filter(({ owed }) => owed).map(({ reader }) => reader);
}
