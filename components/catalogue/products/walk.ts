import { type Page, page, type Row } from '@steward/sql';

/** Products in an order, as keys lead to them. Texts of SQL over products named `p`, of the tenant `$1`. */
export interface Walk {
  readonly from: string;
  readonly conditions: readonly string[];
  readonly order: string;
  /** Where the order is by a number first: it. */
  readonly position?: string | undefined;
}

/** Of how many products a page looks at what no key leads to. */
const mostWalked = 2_000;

/**
 * The first of them, at most `limit`. @param sieve what each is asked that no key leads to: then the walk ends after 2,000 products, so that a
 * page costs the same however few pass
 */
export const walk = (
  columns: string,
  { from, conditions, order, position = '0' }: Walk,
  limit: string,
  sieve: string | undefined,
): string => {
  const walked = `from ${from} where ${conditions.join(' and ')} order by ${order} limit`;
  return sieve === undefined
    ? `select ${columns}, ${position} as position ${walked} ${limit}`
    : `with walked as materialized (
         select p.tenant_id, p.product_id, ${position} as position, row_number() over (order by ${order}) as place ${walked} ${mostWalked}
       )
       select e.more, e.last_id, e.last_position, f.* from (
         select count(*) = ${mostWalked} as more, (array_agg(product_id order by place desc))[1] as last_id,
           (array_agg(position order by place desc))[1] as last_position from walked
       ) e left join lateral (
         select ${columns}, w.position, w.place
         from walked w join catalogue.product p on p.tenant_id = w.tenant_id and p.product_id = w.product_id
         where ${sieve} order by w.place limit ${limit}
       ) f on true order by f.place`;
};

/** Where a walk, or what is shown of it, ended. */
export interface Place {
  readonly id: string;
  readonly position: string;
}

export interface Walked {
  readonly rows: readonly Row[];
  readonly length: number;
  /** Where it was ended before its end. */
  readonly ended: Place | undefined;
}

/** From the rows of a `walk`. */
export function walkedIn(rows: readonly Row[]): Walked {
  const passed = rows.filter((row) => row['id'] !== null);
  const [first] = rows;
  const ended =
    first?.['more'] === true ? { id: String(first['last_id']), position: String(first['last_position']) } : undefined;
  return { rows: passed, length: passed.length, ended };
}

/** A page that has fewer than `limit`, or none, where the walk was ended, and yet a next one. */
export function pageOfWalk<Item extends { readonly id: string }>(
  { rows, ended }: Walked,
  limit: number,
  present: (row: Row) => Item,
  cursorOf: (place: Place) => string,
): Page<Item> {
  const listed = page(rows, limit, present, ({ id }, row) => cursorOf({ id, position: String(row['position']) }));
  return listed.nextCursor === null && ended !== undefined ? { ...listed, nextCursor: cursorOf(ended) } : listed;
}
