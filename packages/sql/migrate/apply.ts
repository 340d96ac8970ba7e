import type pg from 'pg';
import type { Pending } from './pending.ts';
import { appRole, jobRole, quote } from './roles.ts';
import { handedOverBy, placeholder, type FunctionFile } from './sources.ts';

/**
 * All of it or nothing: first the migrations, in which the functions of tables that are new are not there yet, then the functions, whose
 * bodies are not looked at because they may name each other. The roles that they name are there.
 * @param named whose name these roles carry
 */
export async function apply(client: pg.Client, named: string, pending: Pending, release: string): Promise<void> {
  await client.query('begin; set local check_function_bodies = off');
  try {
    for (const migration of pending.migrations) {
      await run(client, named, 'migration', migration);
      const { component, number, name, checksum } = migration;
      await client.query('insert into platform.migration (component, number, name, checksum) values ($1, $2, $3, $4)', [
        component,
        number,
        name,
        checksum,
      ]);
    }
    // PostgreSQL demands that the new owner of a function may create functions in the schema; the jobs may only during this.
    const owners = pending.functions.flatMap((file) =>
      handedOverBy(file).map(({ schema, job }) => `on schema ${schema} %% ${quote(jobRole(named, job))}`),
    );
    const lending = (how: 'grant' | 'revoke'): string =>
      [...new Set(owners)].map((on) => `${how} create ${on.replace('%%', how === 'grant' ? 'to' : 'from')};`).join(' ');
    await client.query(lending('grant'));
    for (const file of pending.functions) await run(client, named, 'functions', file);
    await client.query(lending('revoke'));
    await client.query(
      `insert into platform.function (component, name, checksum, release)
         select component, name, checksum, $2 from json_to_recordset($1) as f (component text, name text, checksum text)
       on conflict (component, name) do update set checksum = excluded.checksum, release = excluded.release, applied_at = clock_timestamp()`,
      [JSON.stringify(pending.functions), release],
    );
    await client.query(
      `delete from platform.function f using json_to_recordset($1) as g (component text, name text)
       where f.component = g.component and f.name = g.name`,
      [JSON.stringify(pending.gone)],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function run(client: pg.Client, named: string, kind: string, file: FunctionFile): Promise<void> {
  const text = file.text.replace(placeholder, (_all, _what, job?: string) =>
    quote(job === undefined ? appRole(named) : jobRole(named, job)),
  );
  try {
    await client.query(text);
  } catch (error) {
    throw new Error(`${kind} ${file.component}/${file.name} failed: ${String((error as Error).message)}`, {
      cause: error,
    });
  }
}
