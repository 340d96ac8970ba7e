import { afterAll, type Finder, mostLookedThrough, says } from '@steward/access';
import { statement, type Statement } from '@steward/sql';
import { listOrders } from './orders/list.ts';
import { shownNumber } from './orders/order.ts';

/** Orders by number, also that of a shop at a marketplace, by tracking number and e-mail address; the latest of them by their buyer's name too. */
export const finders: readonly Finder[] = [
  {
    kind: 'order',
    lists: listOrders,
    statements: ({ tenant, text, number, limit }) => {
      const found = (from: string, exact: boolean, ...values: readonly unknown[]): Statement =>
        statement(
          `select o.order_id as id, ${shownNumber('o.mode', 'o.number')} as title, concat_ws(' · ', o.external_name, o.name, o.email) as line,
             o.total as minor, o.currency, (o.placed_at at time zone 'utc')::date::text as day, ${String(exact)} as exact
           from (${from}) o limit $2::int`,
          [tenant, limit, ...values],
        );
      const all = 'select * from orders.sales_order where tenant_id = $1::uuid';
      const numbered =
        number !== undefined && ['', 'TEST'].includes(number.prefix)
          ? [
              found(
                `${all} and mode = $3 and number = $4::bigint`,
                true,
                number.prefix === '' ? 'live' : 'test',
                number.digits,
              ),
            ]
          : [];
      return [
        ...numbered,
        found(
          `${all} and email_key >= $3 and email_key < $4 order by email_key, order_id limit ${mostLookedThrough}`,
          false,
          text,
          afterAll(text),
        ),
        found(
          `select o.* from orders.fulfilment f join orders.sales_order o on o.tenant_id = f.tenant_id and o.order_id = f.order_id
           where f.tenant_id = $1::uuid and f.tracking_number = any ($3::text[])`,
          true,
          [text, text.toUpperCase()],
        ),
        found(`${all} and external_name = any ($3::text[])`, true, [text, text.toUpperCase(), `#${text}`]),
        found(
          `select * from (${all} order by order_id desc limit ${mostLookedThrough}) o where ${says(['o.name'], '$3')}`,
          false,
          text,
        ),
      ];
    },
  },
];
