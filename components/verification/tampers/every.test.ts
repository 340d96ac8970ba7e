import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, statement, type TenantContext } from '@steward/sql';
import type pg from 'pg';
import {
  takeBackup,
  anHourLater,
  createSealingWorld,
  sealed,
  type SealingWorld,
  type SealingProcess,
} from '@steward/archive/testing';
import { placeHold, releaseHold } from '@steward/audit';
import { pastChain, order, sample } from '@steward/audit/testing';
import { destroyKeys } from '@steward/audit';
import { unprotected } from '../fixtures/tampers/unprotected.ts';
import { logOptions } from '../fixtures/verdict.ts';
import { blockRows } from '../rows/principal-blocks.ts';
import type { Finding } from '../log/finding.ts';
import { verifyLog } from '../log/verify-log.ts';

const d = (day: number): string => `2026-03-0${day}`;
/** Alike, so that as many things can be done at once, one to each, before the log is verified. */
const tenantsAtOnce = 6;

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly key: boolean;
}

/** One thing that is done to one table: to a tenant's rows where it has a tenant. */
interface Tamper {
  readonly name: string;
  /** As the reviewed list names it. */
  readonly listed: string;
  readonly table: string;
  /** Done to a tenant that there is not. */
  readonly stranger?: boolean;
  readonly statement: (where: string) => string;
}

/** Another value of the same type; `away` in the other direction, where there is one. */
function other({ column, type, key }: Column, away: boolean): string {
  const sign = away ? '-' : '+';
  // Of a key such that no other row has it.
  const step = key ? 1_000_003 : 1;
  switch (type) {
    case 'uuid':
      return `gen_random_uuid()`;
    case 'boolean':
      return `not coalesce(${column}, false)`;
    case 'integer':
    case 'bigint':
      return `coalesce(${column}, 0) ${sign} ${step}`;
    case 'date':
      return `coalesce(${column}, '${d(3)}') ${sign} ${key ? 4_000 : 10}`;
    case 'timestamp with time zone':
      return `coalesce(nullif(nullif(${column}, 'infinity'), '-infinity'), now()) ${sign} interval '400 days'`;
    case 'bytea':
      return `sha256(coalesce(${column}, ''))`;
    case 'ARRAY':
      return away ? `'{}'` : `array_append(${column}, 'user:mallory')`;
    default:
      return away && !key
        ? `case when ${column} is null then 'y' end`
        : `coalesce(${column}, '') || '${away ? 'y' : 'x'}'`;
  }
}

describe('whatever a superuser does to the database, but for the reviewed list,', () => {
  let site: SealingWorld;
  let one: SealingProcess;
  let key: string;
  let columns: readonly Column[] = [];
  const tenants: string[] = [];

  before(async () => {
    site = await createSealingWorld();
    const { admin, database } = site.world;
    one = site.process();
    await one.start();
    for (let n = 0; n < tenantsAtOnce; n += 1)
      // One is enough whose principals are noted.
      tenants.push(await pastChain(admin, { days: { [d(1)]: n === 0 ? 2 * blockRows : 4, [d(2)]: 2 } }));
    await sealed(one.archive, d(2));
    key = (await one.archive.keys.registered())[0]?.verifierKey ?? '';
    await one.archive.rotateKey({ lost: false });
    const backup = await takeBackup(database);
    for (const tenant of tenants) await pastChain(admin, { tenant, days: { [d(3)]: 2 } });
    await sealed(one.archive, d(4));
    await backup.restore();
    await one.archive.takeOver('a backup was restored');
    await sealed(one.archive, d(5));
    for (const tenant of tenants) await promise(tenant);
    await one.archive.checkpoint();
    await one.audit.ingest(one.as(tenants[0] ?? '', 'alice'), sample(), 'snake');
    await anHourLater(admin);
    await admin.query(sql`select from audit.close_hour(2)`);
    await admin.withClient(unlock);
    await admin.query(sql`update audit.sealed_day set sealed_at = '2026-03-02T00:00:01Z' where day = ${d(1)}`);
    for (const tenant of tenants) await one.archive.expire(operator(tenant), { retentionDays: 9, dryRun: false });
    await admin.query(sql`insert into audit.verification (kind, ok, detail) values ('log', true, 'sound')`);
    const found = await admin.query<{ table: string; column: string; type: string; key: boolean }>(sql`
      select c.table_name as table, c.column_name as column, c.data_type as type, exists (
        select from information_schema.key_column_usage k join information_schema.table_constraints t
          using (constraint_schema, constraint_name)
        where t.constraint_type = 'PRIMARY KEY' and k.table_schema = 'audit' and k.table_name = c.table_name
          and k.column_name = c.column_name) as key
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'audit' and t.table_type = 'BASE TABLE' order by 1, c.ordinal_position`);
    columns = found;
    await admin.withClient(async (client) => {
      for (const table of tables()) await client.query(`create table public."kept ${table}" as table audit.${table}`);
      await withoutConstraints(client);
    });
  });
  after(async () => site[Symbol.asyncDispose]());

  const tables = (): string[] => [...new Set(columns.map(({ table }) => table))];
  const keyOf = (table: string): string[] =>
    columns.filter((one) => one.table === table && one.key && one.column !== 'tenant_id').map(({ column }) => column);
  const hasTenant = (table: string): boolean =>
    columns.some((one) => one.table === table && one.column === 'tenant_id');
  const operator = (tenant: string): TenantContext => {
    const subject = { type: 'system', id: 'operator' } as const;
    const rest = { requestId: newId(), correlationId: newId() };
    return one.tenancy.systemContext({ tenant, chain: [subject], subject, caller: subject, ...rest });
  };

  /** Something in every table. */
  async function promise(tenant: string): Promise<void> {
    const alice = one.as(tenant, 'alice');
    await one.audit.ingest(alice, sample({ idempotency_key: 'first-of-this-key' }), 'snake');
    await one.audit.ingest(alice, sample({ idempotency_key: 'second-of-this-key' }), 'snake');
    await one.audit.ingest(alice, order('ada'), 'snake');
    await one.audit.ingest(alice, order('bob'), 'snake');
    await destroyKeys(alice, { subject: 'ada', keyIds: [], reason: 'requested under article 17' });
    await placeHold(alice, { reason: 'the first of two' });
    await releaseHold(alice, {});
    await placeHold(alice, { reason: 'the second of two' });
    await releaseHold(alice, {});
  }

  const verify = async (tenant?: string): Promise<readonly Finding[]> =>
    (
      await verifyLog({
        ...logOptions(site),
        keys: [key],
        acceptIncarnation: 2,
        ...(tenant === undefined ? {} : { tenant }),
      })
    ).findings;

  function tampers(): Tamper[] {
    return tables().flatMap((table) => {
      const keys = keyOf(table);
      const order = keys.length === 0 ? '1' : keys.join(', ');
      const at = (where: string, last: boolean): string =>
        `ctid = (select ctid from audit.${table} where ${where} order by ${order} ${last ? 'desc' : 'asc'} limit 1)`;
      const own = columns.filter((one) => one.table === table);
      const changes = own
        .filter(({ column }) => column !== 'tenant_id')
        .flatMap((column) =>
          // The last row one way, the first the other way; of what there is once for all tenants one is enough.
          (hasTenant(table) ? [true, false] : [true]).map((last) => ({
            name: `${table}.${column.column} of the ${last ? 'last' : 'first'} row`,
            listed: `${table}.${column.column}`,
            table,
            statement: (where: string) =>
              `update audit.${table} set ${column.column} = ${other(column, !last)} where ${at(where, last)}`,
          })),
        );
      const rows: Tamper[] = [
        ...[true, false].map((last) => ({
          name: `the ${last ? 'last' : 'first'} row of ${table} deleted`,
          listed: `${table} delete ${last ? 'last' : 'first'}`,
          table,
          statement: (where: string) => `delete from audit.${table} where ${at(where, last)}`,
        })),
        {
          name: `all rows of ${table} deleted`,
          listed: `${table} delete all`,
          table,
          statement: (where) => `delete from audit.${table} where ${where}`,
        },
        ...(hasTenant(table) ? [false, true] : [false])
          .filter((stranger) => stranger || keys.length > 0)
          .map((stranger) => ({
            name: `a row inserted into ${table}${stranger ? ' for a tenant that there is not' : ''}`,
            listed: `${table} insert`,
            table,
            stranger,
            statement: (where: string) => {
              const values = own.map((column) =>
                keys.includes(column.column) || (stranger && column.column === 'tenant_id')
                  ? other(column, false)
                  : column.column,
              );
              return `insert into audit.${table} select ${values.join(', ')} from audit.${table} where ${at(where, true)}`;
            },
          })),
      ];
      return [...changes, ...rows];
    });
  }

  async function putBack(done: readonly Tamper[]): Promise<void> {
    await site.world.admin.withClient(async (client) => {
      for (const table of new Set(done.map((one) => one.table))) {
        await client.query(`delete from audit.${table}`);
        await client.query(`insert into audit.${table} table public."kept ${table}"`);
      }
    });
  }

  test('has something in every table to change, and verifies while nothing is', async () => {
    assert.deepEqual(await verify(), []);
    for (const table of tables()) {
      const [row] = await site.world.admin.query<{ rows: bigint }>(
        statement(`select count(*) as rows from audit.${table}`, []),
      );
      assert.ok((row?.rows ?? 0n) > 0n, `${table} is empty: let the world have a row of it`);
    }
  });

  test('is found: each column of each row changed, each row deleted, rows inserted', async (t) => {
    const all = tampers();
    const names = new Set(all.map(({ listed }) => listed));
    assert.deepEqual(
      Object.keys(unprotected).filter((name) => !names.has(name)),
      [],
      'listed, and not there',
    );
    const unseen: string[] = [];
    const having = new Map<string, string[]>();
    for (const table of tables().filter(hasTenant)) {
      const rows = await site.world.admin.query<{ tenant: string }>(
        statement(`select distinct tenant_id as tenant from audit.${table}`, []),
      );
      const owners = new Set(rows.map(({ tenant }) => tenant));
      having.set(table, tenants.filter((tenant) => owners.has(tenant)).toReversed());
    }
    const isOwn = ({ table, stranger }: Tamper): boolean => hasTenant(table) && stranger !== true;
    const rounds: Map<string, Tamper>[] = [];
    for (const tamper of all.filter(({ listed }) => unprotected[listed] === undefined)) {
      const able = isOwn(tamper) ? (having.get(tamper.table) ?? []) : [tamper.stranger === true ? '*' : ''];
      const free = (round: Map<string, Tamper>): string | undefined => able.find((tenant) => !round.has(tenant));
      const round = rounds.find((one) => free(one) !== undefined) ?? rounds[rounds.push(new Map()) - 1];
      round?.set(free(round) ?? '', tamper);
    }
    for (const round of rounds) {
      await site.world.admin.withClient(async (client) => {
        for (const [tenant, { table, statement }] of round) {
          const whose = tenant === '*' ? having.get(table)?.[0] : tenant;
          await client.query(statement(hasTenant(table) ? `tenant_id = '${whose}'` : 'true'));
        }
      });
      const findings = await verify();
      const known = new Set(['', 'platform', ...tenants]);
      const shown = (whose: string): boolean =>
        findings.some(({ tenant }) =>
          whose === '*' ? !known.has(tenant) : whose === '' ? tenant === 'platform' || tenant === '' : tenant === whose,
        );
      for (const [whose, tamper] of round) if (!shown(whose)) unseen.push(`${tamper.listed} | ${tamper.name}`);
      await putBack([...round.values()]);
    }
    t.diagnostic(`${all.length} changes in ${rounds.length} rounds`);
    assert.deepEqual(unseen, []);
  });
});

/** What a superuser does first. */
async function unlock(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string }>(
    `select table_name as table from information_schema.tables where table_schema = 'audit' and table_type = 'BASE TABLE'`,
  );
  for (const { table } of rows) await client.query(`alter table audit.${table} disable trigger all`);
}

async function withoutConstraints(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; name: string }>(
    `select c.conrelid::regclass::text as table, c.conname as name from pg_constraint c
     join pg_namespace n on n.oid = c.connamespace where n.nspname = 'audit' and c.contype in ('c', 'f', 'u')`,
  );
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`);
  const unique = await client.query<{ name: string }>(
    `select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indrelid
     join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'audit' and i.indisunique and not i.indisprimary`,
  );
  for (const { name } of unique.rows) await client.query(`drop index ${name}`);
  const notNull = await client.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns c
     where table_schema = 'audit' and is_nullable = 'NO' and not exists (
       select from information_schema.key_column_usage k where k.table_schema = 'audit' and k.table_name = c.table_name
         and k.column_name = c.column_name)`,
  );
  for (const { table, column } of notNull.rows)
    await client.query(`alter table audit.${table} alter column ${column} drop not null`);
}
