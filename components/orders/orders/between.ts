import { amount, flag, id, moment, type Of, shape, text } from '@steward/contract';
import { idsAround } from '@steward/kernel';
import { statement, type Statement } from '@steward/sql';

/** What an order comes to: of `orders.sales_order` named `o`. */
const figures = shape('o', {
  id: id('o.order_id'),
  number: text('o.number::text'),
  cancelled: flag(`(o.cancelled_at is not null)`),
  currency: text(),
  total: amount(),
  captured: amount(),
  refunded: amount(),
  credited: amount(),
  placedAt: moment(),
});
export type OrderFigures = Of<typeof figures>;
export const figuresOf = figures.read;

interface Span {
  /** First and last day, by UTC. */
  readonly from: string;
  readonly to: string;
  readonly currency: string | undefined;
  /** The last id of the page before. */
  readonly after: string | undefined;
  readonly limit: number;
}

const day = 86_400_000;
const start = (text: string): number => Date.parse(`${text}T00:00:00Z`);

/** Orders that were placed on these days, by id; none of tests. */
export function placedBetween(tenant: string, { from, to, currency, after, limit }: Span): Statement {
  const [first, last] = idsAround(from, to);
  return statement(
    `select ${figures.columns} from orders.sales_order o
     where o.tenant_id = $1::uuid and o.order_id > $2::uuid and o.order_id < $3::uuid and o.mode = 'live'
       and o.placed_at >= $4::timestamptz and o.placed_at < $5::timestamptz and ($6::text is null or o.currency = $6)
     order by o.order_id limit $7::int`,
    [
      tenant,
      after ?? first,
      last,
      new Date(start(from)).toISOString(),
      new Date(start(to) + day).toISOString(),
      currency ?? null,
      limit,
    ],
  );
}
