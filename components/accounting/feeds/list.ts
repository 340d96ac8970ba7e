import { operation } from '@steward/access';
import { pageCursor, pageLimit, pageOf } from '@steward/contract';
import { fail } from '@steward/kernel';
import { page, parseCursor, sql, statement, type TenantScope } from '@steward/sql';
import { z } from 'zod';
import { firstDay, lastDay } from '../money/schema.ts';
import { reads } from '../operations.ts';
import { inOrder } from '../periods/span.ts';
import { feed, feedsFrom, movement, payout } from './shape.ts';

/** What providers' movements go to, the oldest first. */
export const listFeeds = operation(
  {
    ...reads,
    area: 'bank',
    name: 'service_list_feeds',
    input: z.strictObject({}),
    answer: z.object({ items: z.array(feed.answer) }),
  },
  async (scope) => {
    const rows = await scope.read(
      statement(
        `select ${feed.columns} from ${feedsFrom} where f.tenant_id = $1::uuid order by f.opened_at, f.feed_id limit 500`,
        [scope.context.tenant],
      ),
    );
    return { items: rows.map(feed.read) };
  },
);

export const feedId = z.uuid().meta({ description: 'From service_list_feeds.' });
const movementForm = /^(\d{4}-\d{2}-\d{2})\.(.{1,220})$/s;

/** Movements of a feed that wait or that another line stands for, the earliest first. @throws Problem `not_found` (404) */
export const listMovements = operation(
  {
    ...reads,
    area: 'bank',
    name: 'service_list_feed_movements',
    input: z.strictObject({
      feedId,
      state: z
        .enum(['waiting', 'double'])
        .meta({ description: 'waiting: without a line yet. double: a line of a file stands for it.' }),
      limit: pageLimit,
      cursor: pageCursor(z.string().max(400)),
    }),
    answer: pageOf(movement.answer),
    errors: { not_found: 'feedId' },
  },
  async (scope, { feedId: of, state, limit, cursor }) => {
    const [day, id] = cursor === undefined ? ['0001-01-01', ''] : parseCursor(cursor, movementForm);
    const rows = await scope.read(
      statement(
        `select ${movement.columns}, f.currency from accounting.feed f
         join accounting.feed_movement m on m.tenant_id = f.tenant_id and m.feed_id = f.feed_id
           and ${state === 'waiting' ? `m.state in ('due', 'leaving')` : `m.state = 'double'`}
         where f.tenant_id = $1::uuid and f.feed_id = $2::uuid and (m.day, m.movement_id) > ($3::date, $4)
         order by m.day, m.movement_id limit $5::int`,
        [scope.context.tenant, of, day, id, limit + 1],
      ),
    );
    if (rows.length === 0) {
      const [there] = await scope.read(
        statement('select from accounting.feed where tenant_id = $1::uuid and feed_id = $2::uuid', [
          scope.context.tenant,
          of,
        ]),
      );
      if (there === undefined) throw unknownFeed();
    }
    return page(rows, limit, movement.read, (last) => `${last.day}.${last.movementId}`);
  },
);

/** @throws Problem `not_found` (404) */
async function requireFeed({ context, read }: TenantScope, feedId: string): Promise<void> {
  const [there] = await read(
    sql`select from accounting.feed where tenant_id = ${context.tenant}::uuid and feed_id = ${feedId}::uuid`,
  );
  if (there === undefined) throw unknownFeed();
}

export const unknownFeed = (): Error =>
  fail('not_found', 'There is no such feed in this tenant: list the feeds for their ids.');

const payoutForm = /^(\d{4}-\d{2}-\d{2})\.([0-9a-f-]{36})\.(.{1,200})$/s;

/** Payouts of providers, the latest first, each with what its movements add up to. */
export const listPayouts = operation(
  {
    ...reads,
    area: 'bank',
    name: 'service_list_payouts',
    input: z.strictObject({
      feedId: feedId.optional(),
      from: firstDay.optional(),
      to: lastDay.optional(),
      limit: pageLimit,
      cursor: pageCursor(z.string().max(400)),
    }),
    answer: pageOf(payout.answer),
    errors: ['not_found'],
  },
  async (scope, { feedId: of, from, to, limit, cursor }) => {
    inOrder({ from, to });
    const [day, feedBefore, id] =
      cursor === undefined
        ? ['9999-12-31', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '\u{10ffff}']
        : parseCursor(cursor, payoutForm);
    if (of !== undefined) await requireFeed(scope, of);
    const rows = await scope.read(
      statement(
        `select ${payout.columns}, f.currency from accounting.payout p
         join accounting.feed f on f.tenant_id = p.tenant_id and f.feed_id = p.feed_id
         left join accounting.account a on a.tenant_id = f.tenant_id and a.account_id = f.account_id
         where p.tenant_id = $1::uuid and ($2::uuid is null or p.feed_id = $2) and ($3::date is null or p.day >= $3)
           and ($4::date is null or p.day <= $4) and (p.day, p.feed_id, p.payout_id) < ($5::date, $6::uuid, $7)
         order by p.day desc, p.feed_id desc, p.payout_id desc limit $8::int`,
        [scope.context.tenant, of, from, to, day, feedBefore, id, limit + 1],
      ),
    );
    return page(rows, limit, payout.read, (last) => `${last.day}.${last.feedId}.${last.payoutId}`);
  },
);
