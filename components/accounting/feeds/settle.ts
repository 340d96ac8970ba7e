import { createHash } from 'node:crypto';
import { newId } from '@steward/kernel';
import { sql, sqlState, type TenantTransaction } from '@steward/sql';
import { byPlace, type KeptLine, likeliest, near } from '../bank/known.ts';
import { contentOf } from '../contents.ts';
import { booksFail } from '../errors.ts';
import { event } from '../events.ts';
import type { Feed } from './feed.ts';

/** So many are settled at a time. */
const atOnce = 2_000;

/** What became of movements: ids of lines. */
export interface Settled {
  readonly made: readonly string[];
  readonly withdrawn: readonly string[];
}

interface Waiting extends Record<string, unknown> {
  readonly movement_id: string;
  readonly day: string;
  readonly amount: bigint;
  readonly description: string;
  readonly counterparty: string | null;
  readonly reference: string | null;
  readonly state: 'due' | 'leaving';
  readonly line_id: string | null;
  readonly own: boolean;
  readonly revision: number;
}

/**
 * Makes the lines that a feed's movements wait for, and takes back those that are no more. Nothing changes on days that are reconciled, and nothing
 * is made before an account is chosen: such movements wait. A line that a file brought is not made again.
 */
export async function settle(tx: TenantTransaction, feed: Feed): Promise<Settled> {
  const { accountId } = feed;
  const made: string[] = [];
  const withdrawn: string[] = [];
  if (accountId === null) return { made, withdrawn };
  const { tenant } = tx.context;
  // As whoever matches or reconciles does, so that no reconciliation is completed meanwhile.
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${accountId}::uuid::text, 7))`);
  const [account] = await tx.query<{ agreed: string | null }>(sql`
    select (select max(to_day)::text from accounting.reconciliation r
        where r.tenant_id = a.tenant_id and r.account_id = a.account_id and r.undone_at is null) as agreed
    from accounting.account a where a.tenant_id = ${tenant}::uuid and a.account_id = ${accountId}::uuid and a.archived_at is null`);
  if (account === undefined) return { made, withdrawn };
  for (;;) {
    const waiting = await tx.query<Waiting>(sql`
      select m.movement_id, m.day::text as day, m.amount, m.description, m.counterparty, m.reference, m.state, m.line_id, m.own, m.revision
      from accounting.feed_movement m left join accounting.bank_line l on l.tenant_id = m.tenant_id and l.line_id = m.line_id
      where m.tenant_id = ${tenant}::uuid and m.feed_id = ${feed.id}::uuid and m.state in ('due', 'leaving')
        and (m.state = 'leaving' or m.day > ${account.agreed ?? '0001-01-01'}::date) and coalesce(l.day > ${account.agreed ?? '0001-01-01'}::date, true)
      order by m.day, m.movement_id limit ${atOnce}::int`);
    const leaving = waiting.flatMap(({ line_id }) => line_id ?? []);
    if (leaving.length > 0) {
      await withdraw(tx, feed, leaving);
      withdrawn.push(...leaving);
    }
    const due = waiting
      .filter(({ state }) => state === 'due')
      .map((one) => (one.line_id === null ? one : { ...one, revision: one.revision + 1 }));
    if (due.length > 0) made.push(...(await make(tx, { ...feed, accountId }, due)));
    if (waiting.length < atOnce) return { made, withdrawn };
  }
}

async function withdraw(tx: TenantTransaction, feed: Feed, lines: readonly string[]): Promise<void> {
  const { tenant } = tx.context;
  const undone = await tx.query<{ match_id: string; line_id: string }>(sql`
    update accounting.bank_match set undone_at = clock_timestamp()
    where tenant_id = ${tenant}::uuid and line_id = any (${lines}::uuid[]) and undone_at is null returning match_id, line_id`);
  for (const { match_id, line_id } of undone) tx.record(event('accounting.line.unmatched', { match_id, line_id }));
  const gone = await tx
    .query<{ line_id: string; statement_id: string }>(
      sql`
    update accounting.bank_line set withdrawn_at = clock_timestamp()
    where tenant_id = ${tenant}::uuid and line_id = any (${lines}::uuid[]) and withdrawn_at is null returning line_id, statement_id`,
    )
    .catch((cause: unknown) => {
      throw ['AC007', '42501'].includes(sqlState(cause) ?? '')
        ? booksFail('reconciled', 'A line of the feed cannot be withdrawn: undo the reconciliation first.', { cause })
        : cause;
    });
  for (const { line_id, statement_id } of gone)
    tx.record(event('accounting.line.withdrawn', { line_id, statement_id }));
  await tx.query(sql`
    update accounting.feed_movement set line_id = null, revision = revision + 1, changed_at = clock_timestamp(),
      state = case when state = 'leaving' then 'gone' else state end
    where tenant_id = ${tenant}::uuid and feed_id = ${feed.id}::uuid and line_id = any (${lines}::uuid[]) and state in ('due', 'leaving')`);
}

/** @returns the ids of lines that are new */
async function make(
  tx: TenantTransaction,
  feed: Feed & { readonly accountId: string },
  due: readonly Waiting[],
): Promise<readonly string[]> {
  const { tenant } = tx.context;
  const others = byPlace(await broughtByOthers(tx, feed, due));
  const doubles: { movement_id: string; line_id: string }[] = [];
  const fresh: (Waiting & { readonly id: string; readonly bank_id: string })[] = [];
  for (const one of due) {
    const double = one.own ? undefined : likeliest({ ...one, counterparty: one.counterparty ?? undefined }, others);
    if (double !== undefined) doubles.push({ movement_id: one.movement_id, line_id: double.id });
    else fresh.push({ ...one, id: newId(), bank_id: bankIdOf(feed, one) });
  }
  if (fresh.length > 0) {
    const statementId = newId();
    const content = createHash('sha256')
      .update(JSON.stringify(fresh.map(({ bank_id, day, amount }) => [bank_id, day, amount.toString()])))
      .digest('hex');
    await tx.query(sql`
      insert into accounting.bank_statement (tenant_id, statement_id, account_id, format, content_sha256, currency)
      values (${tenant}::uuid, ${statementId}::uuid, ${feed.accountId}::uuid, 'feed', ${content}, ${feed.currency})`);
    await tx.query(sql`
      insert into accounting.bank_line (tenant_id, line_id, statement_id, account_id, day, amount, description, counterparty, reference, bank_id)
      select ${tenant}::uuid, id, ${statementId}::uuid, ${feed.accountId}::uuid, day, amount, description, counterparty, reference, bank_id
      from json_to_recordset(${JSON.stringify(fresh.map((one) => ({ ...one, amount: one.amount.toString() })))}::json)
        as l (id uuid, day date, amount bigint, description text, counterparty text, reference text, bank_id text)`);
    tx.record(
      event('accounting.statement.imported', {
        statement_id: statementId,
        account_id: feed.accountId,
        format: 'feed',
        content_sha256: content,
        lines: fresh.length,
        lines_sha256: await contentOf(tx, 'statement', statementId),
      }),
    );
  }
  await tx.query(sql`
    update accounting.feed_movement m set state = s.state, line_id = s.line_id, changed_at = clock_timestamp()
    from json_to_recordset(${JSON.stringify([
      ...fresh.map(({ movement_id, id }) => ({ movement_id, line_id: id, state: 'kept' })),
      ...doubles.map((one) => ({ ...one, state: 'double' })),
    ])}::json) as s (movement_id text, line_id uuid, state text)
    where m.tenant_id = ${tenant}::uuid and m.feed_id = ${feed.id}::uuid and m.movement_id = s.movement_id`);
  return fresh.map(({ id }) => id);
}

/** Says where it came from, and is another one for each line that was made of a movement. */
const bankIdOf = (feed: Feed, { movement_id, revision }: Waiting): string =>
  `feed:${createHash('sha256').update(`${feed.id}\n${movement_id}`).digest('hex').slice(0, 32)}:${revision}`;

/**
 * Lines of those amounts at about those days that this feed has nothing to do with: of files, and for an account at a bank also of another
 * connection to it. Two connections to providers of payments are two pots of money, where equal amounts are the rule.
 */
async function broughtByOthers(
  tx: TenantTransaction,
  feed: Feed & { readonly accountId: string },
  due: readonly Waiting[],
): Promise<readonly KeptLine[]> {
  return (await tx.query(sql`
    with wanted as materialized (
      select distinct w.day + apart as day, w.amount
      from json_to_recordset(${JSON.stringify(due.map(({ day, amount }) => ({ day, amount: amount.toString() })))}::json)
        as w (day date, amount bigint) cross join generate_series(-${near}::int, ${near}::int) as apart)
    select l.line_id as id, l.day::text as day, l.amount, l.description, l.counterparty, l.reference, l.bank_id as "bankId", s.format
    from wanted join accounting.bank_line l on l.tenant_id = ${tx.context.tenant}::uuid and l.account_id = ${feed.accountId}::uuid
      and l.day = wanted.day and l.amount = wanted.amount and l.withdrawn_at is null
    join accounting.bank_statement s on s.tenant_id = l.tenant_id and s.statement_id = l.statement_id
    where (s.format <> 'feed' or ${feed.kind === 'bank'}::bool)
      and not exists (select from accounting.feed_movement m
        where m.tenant_id = l.tenant_id and m.line_id = l.line_id and m.feed_id = ${feed.id}::uuid)
    order by l.day, l.line_id`)) as unknown as KeptLine[];
}
