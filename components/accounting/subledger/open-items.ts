import { sql, type Statement } from '@steward/sql';
import type { DocumentKind } from '../documents/kind.ts';
import type { Side } from './side.ts';

/** A row of `openItems`. Minor units; of credits as of charges above zero. */
export interface OpenItem extends Record<string, unknown> {
  readonly item_id: string;
  readonly kind: DocumentKind | 'payment';
  readonly number: bigint;
  readonly side: Side;
  readonly nature: 'charge' | 'credit';
  readonly party_id: string;
  readonly party_name: string;
  readonly currency: string;
  readonly opened_on: string;
  readonly due_on: string;
  readonly open: bigint;
  /** In the base currency, at the rate of the item; on a day it was revalued, at that day's. */
  readonly base: bigint;
  readonly base_currency: string;
}

/** Some of them: of these parties, after this one in the order that they come in, so many. */
export interface Portion {
  readonly partyIds: readonly string[];
  readonly after?: Pick<OpenItem, 'due_on' | 'item_id'> | undefined;
  readonly limit?: number | undefined;
}

/**
 * The sub-ledger at the end of a day. What happens to an item is dated in the order it happens, so that what was open on
 * a day follows from the days; items that were settled before it and not touched since are not looked at. Rows are taken along rather than
 * joined again by id: a planner that knows nothing of new tables yet would compare each with each.
 */
export const openItems = (
  tenant: string,
  asOf: string,
  side: Side | null = null,
  { partyIds, after, limit }: Partial<Portion> = {},
): Statement => sql`
  with live as materialized (
    select * from accounting.item where tenant_id = ${tenant}::uuid and open_amount > 0
      and (${partyIds ?? null}::uuid[] is null or party_id = any (${partyIds ?? null}::uuid[]))
    union
    select * from accounting.item where tenant_id = ${tenant}::uuid and moved_on > ${asOf}::date
      and (${partyIds ?? null}::uuid[] is null or party_id = any (${partyIds ?? null}::uuid[]))
    union
    select i.* from accounting.revaluation w
    join accounting.revaluation_item v on v.tenant_id = w.tenant_id and v.revaluation_id = w.revaluation_id
    join accounting.item i on i.tenant_id = v.tenant_id and i.item_id = v.item_id
    where w.tenant_id = ${tenant}::uuid and w.day = ${asOf}::date
      and (${partyIds ?? null}::uuid[] is null or i.party_id = any (${partyIds ?? null}::uuid[])))
  select * from (
    select i.item_id, i.kind, coalesce(d.number, y.number) as number, i.side, i.nature, i.party_id, p.name as party_name, i.currency,
      i.opened_on::text as opened_on, i.due_on::text as due_on, b.base_currency,
      (case when i.void_on <= ${asOf}::date then 0 else i.amount - coalesce(a.amount, 0) end)::bigint as open,
      (case when i.void_on <= ${asOf}::date then 0 else i.base_amount - coalesce(a.base, 0) end + coalesce(r.difference, 0))::bigint as base
    from live i
    join accounting.book b on b.tenant_id = ${tenant}::uuid
    join accounting.party p on p.tenant_id = i.tenant_id and p.party_id = i.party_id
    left join accounting.document d on d.tenant_id = i.tenant_id and d.document_id = i.item_id
    left join accounting.payment y on y.tenant_id = i.tenant_id and y.payment_id = i.item_id
    left join lateral (
      select sum(x.amount) as amount, sum(x.base) as base from (
        select amount, credit_base as base, date, undone_on from accounting.allocation where tenant_id = i.tenant_id and credit_id = i.item_id
        union all
        select amount, charge_base, date, undone_on from accounting.allocation where tenant_id = i.tenant_id and charge_id = i.item_id) x
      where x.date <= ${asOf}::date and (x.undone_on is null or x.undone_on > ${asOf}::date)) a on true
    left join lateral (
      select sum(v.difference) as difference from accounting.revaluation w
      join accounting.revaluation_item v on v.tenant_id = w.tenant_id and v.revaluation_id = w.revaluation_id
      where w.tenant_id = i.tenant_id and w.day = ${asOf}::date and v.item_id = i.item_id) r on true
    where i.opened_on <= ${asOf}::date and (${side}::text is null or i.side = ${side})) open_item
  where (open <> 0 or base <> 0)
    and (${after?.item_id ?? null}::uuid is null or (due_on, item_id) > (${after?.due_on ?? null}, ${after?.item_id ?? null}::uuid))
  order by due_on, item_id limit ${limit ?? null}::int`;
