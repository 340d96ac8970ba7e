import { asItWas, operation } from '@steward/access';
import { statement, sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { bankAccount, bankAccountName } from '../bank/account.ts';
import { booksFail, refuseAt } from '../errors.ts';
import { event } from '../events.ts';
import { writes } from '../operations.ts';
import { readFeed, type Feed } from './feed.ts';
import { feedId, unknownFeed } from './list.ts';
import { matchNamed } from './match.ts';
import { settle } from './settle.ts';
import { feed, type FeedShown, feedsFrom } from './shape.ts';

/** The feed, held until the transaction ends. @throws Problem `not_found` (404) */
async function heldFeed(tx: TenantTransaction, id: string): Promise<Feed> {
  const [row] = await tx.query(sql`
    select feed_id, connection_id, provider, kind, name, currency, account_id from accounting.feed
    where tenant_id = ${tx.context.tenant}::uuid and feed_id = ${id}::uuid for update`);
  if (row === undefined) throw unknownFeed();
  return readFeed(row as unknown as Parameters<typeof readFeed>[0]);
}

async function shownIn(tx: TenantTransaction, id: string): Promise<FeedShown> {
  const [row = {}] = await tx.query(
    statement(`select ${feed.columns} from ${feedsFrom} where f.tenant_id = $1::uuid and f.feed_id = $2::uuid`, [
      tx.context.tenant,
      id,
    ]),
  );
  return feed.read(row);
}

/**
 * Says which account of the chart a feed is; what waited becomes its lines. Lines that it has on another account are withdrawn there and made anew,
 * unless entries explain one of them or its day is reconciled.
 * @throws Problem `not_found` (404), `account_unusable` (422), `feed_in_use` (409)
 */
export const assignFeed = operation(
  {
    ...writes,
    area: 'bank',
    name: 'service_set_feed_account',
    input: z.strictObject({ feedId, account: bankAccountName }),
    answer: feed.answer,
    errors: { not_found: null, account_unusable: 'account', feed_in_use: 'feedId', reconciled: 'feedId' },
  },
  async (scope, { feedId: id, account: name }) =>
    scope.write(async (tx) => {
      const { tenant } = tx.context;
      const held = await heldFeed(tx, id);
      const account = await bankAccount(tx, name);
      if (held.accountId === account.id) return asItWas(await shownIn(tx, held.id));
      if (account.currency !== held.currency)
        throw refuseAt(
          '/account',
          'account_unusable',
          `The feed is in ${held.currency}, but the account is in ${account.currency}: choose an account in ${held.currency}.`,
        );
      await leave(tx, held);
      const [taken] = await tx.query(sql`
        select from accounting.feed where tenant_id = ${tenant}::uuid and account_id = ${account.id}::uuid and kind = 'clearing'
          and ${held.kind} = 'clearing'`);
      if (taken !== undefined)
        throw booksFail(
          'feed_in_use',
          `${account.code} is the clearing account of another connection: choose another account.`,
        );
      await tx.query(sql`
        update accounting.feed set account_id = ${account.id}::uuid where tenant_id = ${tenant}::uuid and feed_id = ${held.id}::uuid`);
      tx.record(event('accounting.feed.assigned', { feed_id: held.id, account_id: account.id }));
      const { made } = await settle(tx, { ...held, accountId: account.id });
      if (held.kind === 'clearing') await matchNamed(tx, made);
      return shownIn(tx, held.id);
    }),
);

/** Has the lines of a feed leave their account, and what lines of files stand for be looked at again. @throws Problem `feed_in_use` (409) */
async function leave(tx: TenantTransaction, held: Feed): Promise<void> {
  const { tenant } = tx.context;
  // As whoever matches or reconciles does.
  if (held.accountId !== null)
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${held.accountId}::uuid::text, 7))`);
  const [bound] = await tx.query(sql`
    select from accounting.feed_movement m join accounting.bank_line l on l.tenant_id = m.tenant_id and l.line_id = m.line_id
    where m.tenant_id = ${tenant}::uuid and m.feed_id = ${held.id}::uuid and m.state <> 'double' and (
      exists (select from accounting.bank_match b where b.tenant_id = l.tenant_id and b.line_id = l.line_id and b.undone_at is null)
      or exists (select from accounting.reconciliation r where r.tenant_id = l.tenant_id and r.account_id = l.account_id
        and r.undone_at is null and r.to_day >= l.day)) limit 1`);
  if (bound !== undefined)
    throw booksFail(
      'feed_in_use',
      'Lines of the feed are matched or reconciled on its account: undo that first, or keep that account for it.',
    );
  await tx.query(sql`
    update accounting.feed_movement set changed_at = clock_timestamp(), state = case when state = 'leaving' then state else 'due' end,
      line_id = case when state = 'double' then null else line_id end
    where tenant_id = ${tenant}::uuid and feed_id = ${held.id}::uuid and line_id is not null`);
}

/**
 * Makes lines of movements that a line of a file seemed to stand for and that are movements of their own.
 * @throws Problem `not_found` (404)
 */
export const takeMovements = operation(
  {
    ...writes,
    area: 'bank',
    name: 'service_take_feed_movements',
    input: z.strictObject({
      feedId,
      movementIds: z
        .array(z.string().min(1).max(220))
        .min(1)
        .max(500)
        .meta({ description: 'From service_list_feed_movements, of the state double.' }),
    }),
    answer: feed.answer,
    errors: { not_found: 'feedId' },
  },
  async (scope, { feedId: id, movementIds }) =>
    scope.write(async (tx) => {
      const held = await heldFeed(tx, id);
      const freed = await tx.query(sql`
        update accounting.feed_movement set state = 'due', line_id = null, own = true, changed_at = clock_timestamp()
        where tenant_id = ${tx.context.tenant}::uuid and feed_id = ${held.id}::uuid and movement_id = any (${movementIds}::text[])
          and state = 'double' returning movement_id`);
      if (freed.length === 0) return asItWas(await shownIn(tx, held.id));
      await settle(tx, held);
      return shownIn(tx, held.id);
    }),
);
