import assert from 'node:assert/strict';
import { sql, statement, type SqlPool } from '@steward/sql';
import type { TestDatabase } from '@steward/testing';
import { eventsOfRows, type DerivedRows, type RecordedRows } from '@steward/verification';

interface Column extends Record<string, unknown> {
  readonly table: string;
  readonly column: string;
  readonly type: string;
}

const live = `mode = 'live'`;
const ofOrder = `order_id in (select order_id from orders.sales_order where ${live})`;

/** Which rows of a table are held, where others say what nobody relies on yet, or any more; of each of several kinds, where they say so. */
const relied: Readonly<Record<string, string | readonly string[]>> = {
  'accounting.party': 'erased_at is null',
  'accounting.taxpayer': 'tin_sealed is not null',
  'accounting.entry': 'reverses is not null and source_id is not null',
  'accounting.document': `status = 'issued'`,
  // Of lines, of which the order is held, the last: any other one changes its place with another number.
  'accounting.posting':
    'line = (select max(line) from accounting.posting other where other.entry_id = posting.entry_id)',
  'accounting.document_line': `document_id in (select document_id from accounting.document where status = 'issued')
    and line = (select max(line) from accounting.document_line other where other.document_id = document_line.document_id)`,
  'accounting.payment': 'void_on is null',
  'accounting.item': 'void_on is null',
  'accounting.allocation': 'undone_on is null and entry_id is not null',
  'accounting.bank_match': 'undone_at is null',
  'accounting.reconciliation': 'undone_at is null',
  'accounting.attachment': 'removed_at is null',
  'accounting.series': `name = 'journal'`,
  'accounting.period': `status = 'closed' and year_closed`,
  'portal.agent_grant': 'revoked_at is null',
  'portal.invitation': 'accepted_at is null and revoked_at is null',
  'portal.billing': `status = 'trialing'`,
  'portal.brand': 'is_default',
  'catalogue.collection': 'rules is not null and archived_at is null',
  'catalogue.collection_product': `collection_id in (select collection_id from catalogue.collection where rules is not null)`,
  'bookkeeping.posting': `state in ('drafted', 'posted', 'left_out')`,
  'stock.movement': 'costed <> 0',
  'orders.counter': live,
  'orders.sales_order': live,
  'orders.line': ofOrder,
  'orders.fulfilment': ofOrder,
  'orders.fulfilment_line': ofOrder,
  'orders.payment': live,
  'orders.payment_operation': `payment_id in (select payment_id from orders.payment where ${live})`,
  'orders.edit': live,
  'orders.version': ofOrder,
  'orders.return': live,
  'orders.return_line': ofOrder,
  'orders.refund': live,
  'orders.refund_line': ofOrder,
  // Of whom somebody asked to be forgotten, nothing is shown any more.
  'approvals.action': [`state = 'executed' and rule_id is null and facts <> '[]'`, `state = 'pending'`],
};

/** Another value of the type, as far as the database's types care. */
function other({ column, type }: Column): string {
  if (type === 'uuid') return 'gen_random_uuid()';
  if (type === 'boolean') return `not coalesce(${column}, false)`;
  if (type === 'date' || type.startsWith('timestamp')) return `coalesce(${column}, now()) + interval '40 days'`;
  if (type === 'bytea') return `sha256(coalesce(${column}, ''))`;
  if (type === 'jsonb') return `coalesce(${column}, '{}') || '{"x": "x"}'`;
  if (type === 'uuid[]') return `array_append(${column}, gen_random_uuid())`;
  if (type.endsWith('[]')) return `array_append(${column}, 'x')`;
  return type === 'text' ? `coalesce(${column}, '') || 'x'` : `coalesce(${column}, 0) + 500`;
}

/** Every column of the database, but those of the log itself: what is done to that is tried by the tests of verification. */
const everyColumn = sql`
  select c.oid::regclass::text as table, a.attname as column, format_type((select coalesce(nullif(t.typbasetype, 0), t.oid) from pg_type t where t.oid = a.atttypid), null) as type
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace, 'audit'::regnamespace)
  order by 1, a.attnum`;

/**
 * What verification tells of columns that are rewritten, one at a time, each taken back again.
 * @param admin sessions past triggers and foreign keys
 */
export async function rewrites(admin: SqlPool, db: Pick<TestDatabase, 'name' | 'ownerUrl'>) {
  /** @returns what is told first, of one comparison after the other */
  const told = async (about: readonly (DerivedRows | RecordedRows)[], change?: string): Promise<string[]> =>
    admin.withClient(async (client) => {
      await client.query('begin');
      try {
        if (change !== undefined) assert.equal((await client.query(change)).rowCount, 1, change);
        await client.query(`set local role ${db.name}_job_audit_verifier`);
        for (const one of about) {
          const found = await eventsOfRows([one])({ ownerUrl: db.ownerUrl, client, tenant: undefined });
          if (found.length > 0) return found.map(({ detail }) => detail);
        }
        return [];
      } finally {
        await client.query('rollback');
      }
    });
  const checks = await admin.query<{ drop: string }>(sql`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop from pg_constraint
    where contype = 'c' and conrelid <> 0`);
  for (const { drop } of checks) await admin.query(statement(drop));
  const tables = await admin.query<{ disable: string }>(sql`
    select distinct format('alter table %s disable trigger all', tgrelid::regclass) as disable from pg_trigger where tgenabled <> 'D'`);
  for (const { disable } of tables) await admin.query(statement(disable));

  /** @returns `table.column` of all that nothing is told of */
  const unseen = async (
    recorded: readonly (DerivedRows | RecordedRows)[],
  ): Promise<{ readonly columns: readonly Column[]; readonly names: readonly string[] }> => {
    const columns = await admin.query<Column>(everyColumn);
    const found: string[] = [];
    for (const [table, own] of Map.groupBy(columns, (one) => one.table)) {
      const about = recorded.filter((one) => JSON.stringify(one).includes(table));
      const rows: (string | undefined)[] = [];
      for (const kind of [relied[table] ?? 'true'].flat()) {
        const [one] = await admin.query<{ row: string }>(
          statement(`select ctid::text as row from ${table} where ${kind} limit 1`),
        );
        assert.ok(about.length === 0 || one !== undefined, `${table} has no row where ${kind}: let the world make one`);
        rows.push(one?.row);
      }
      const isTold = async (column: Column, row: string | undefined): Promise<boolean> => {
        const change = `update ${table} set ${column.column} = ${other(column)} where ctid = '${row ?? ''}'`;
        return about.length > 0 && (await told(about, change)).length > 0;
      };
      for (const column of own) {
        let all = true;
        for (const row of rows) all &&= await isTold(column, row);
        if (!all) found.push(`${table}.${column.column}`);
      }
    }
    return { columns, names: found };
  };
  return { told, unseen };
}
