import { deserialize, serialize } from 'node:v8';
import { permit, roles, type Permission, type Caller } from '@steward/access';
import { fail } from '@steward/kernel';
import { sql, sqlState, type TenantContext, type TenantScope, type TenantTransaction } from '@steward/sql';
import { errors } from '../errors.ts';
import { canonicalJson, digest } from './canonical.ts';
import { writingThrough } from './scope.ts';

/** One command under one idempotency key. The same key in the hands of another caller or tool is another command. */
export interface Command {
  readonly caller: string;
  readonly tool: string;
  readonly key: string;
  readonly argumentsDigest: string;
}

export const commandOf = (caller: Caller, tool: string, key: string, args: unknown): Command => ({
  caller: digest(canonicalJson([caller.subject.type, caller.subject.id, caller.principal.type, caller.principal.id])),
  tool,
  key,
  argumentsDigest: digest(canonicalJson(args)),
});

const useTools: Permission = permit('tools.use', [...roles, 'platform']);

/**
 * The stored tool result of a command that has already run to its end.
 * @throws Problem `idempotency_conflict` when the key was used with other arguments, `answer_erased` (410)
 */
export async function finishedResult(context: TenantContext, command: Command): Promise<string | undefined> {
  const rows = await context.require(useTools).read<{ digest: string; result: string | null; erased: boolean }>(sql`
    select arguments_digest as digest, result, erased_at is not null as erased from tools.command_step
    where tenant_id = ${context.tenant} and caller = ${command.caller} and tool = ${command.tool} and key = ${command.key}
    order by step limit 1`);
  const [row] = rows;
  if (row !== undefined && row.digest !== command.argumentsDigest) throw conflict();
  if (row?.erased === true) throw erased();
  return row?.result ?? undefined;
}

/**
 * A context whose every write happens once: the first transaction to claim the step does the work and keeps its answer
 * in that same transaction, and a repeat, even one that runs at the same time, gets that answer. So a call that broke
 * off between two transactions continues where it stopped.
 */
export function once(context: TenantContext, command: Command): TenantContext {
  let step = 0;
  return writingThrough(
    context,
    async <T>(scope: TenantScope, work: (tx: TenantTransaction) => Promise<T>): Promise<T> => {
      step += 1;
      const own = step;
      return scope.write(async (tx) => {
        if (await claim(tx, command, own)) {
          const value = await work(tx);
          await keepValue(tx, command, own, value);
          return value;
        }
        return (await keptValue(tx, command, own)) as T;
      });
    },
  );
}

/**
 * Keeps the result of the finished call and answers the kept one; not where what it is about was erased since its last step.
 * What is older than thirty days is forgotten.
 */
export async function finish(context: TenantContext, command: Command, result: string): Promise<string> {
  return context.require(useTools).write(async (tx) => {
    await tx.query(sql`
      delete from tools.command_step
      where tenant_id = ${context.tenant} and created_at < clock_timestamp() - interval '30 days'`);
    // Locked, so that an erasure at this moment comes before the result, or finds it.
    const steps = await tx.query<{ erased: boolean }>(sql`
      select erased_at is not null as erased from tools.command_step
      where tenant_id = ${context.tenant} and caller = ${command.caller} and tool = ${command.tool} and key = ${command.key}
      order by step for share`);
    if (steps.some((step) => step.erased)) return result;
    await tx.query(sql`
      insert into tools.command_step (tenant_id, caller, tool, key, step, arguments_digest, result)
      values (${context.tenant}, ${command.caller}, ${command.tool}, ${command.key}, 0, ${command.argumentsDigest}, ${result})
      on conflict do nothing`);
    const [kept] = await tx.query<{ result: string }>(sql`
      select result from tools.command_step
      where tenant_id = ${context.tenant} and caller = ${command.caller} and tool = ${command.tool}
        and key = ${command.key} and step = 0`);
    return kept?.result ?? result;
  });
}

/** Whether this transaction is the first to claim the step; one that claims it at the same time is waited for. */
async function claim(tx: TenantTransaction, command: Command, step: number): Promise<boolean> {
  try {
    const rows = await tx.query(sql`
      insert into tools.command_step (tenant_id, caller, tool, key, step, arguments_digest)
      values (${tx.context.tenant}, ${command.caller}, ${command.tool}, ${command.key}, ${step}, ${command.argumentsDigest})
      on conflict do nothing returning step`);
    return rows.length > 0;
  } catch (cause) {
    // 55P03: the lock timeout; the first is still at work.
    if (sqlState(cause) !== '55P03') throw cause;
    throw fail('conflict', 'This command is still running: repeat it a little later with the same key.', {
      cause,
    });
  }
}

async function keepValue(tx: TenantTransaction, command: Command, step: number, value: unknown): Promise<void> {
  await tx.query(sql`
    update tools.command_step set value = ${serialize(value)}
    where tenant_id = ${tx.context.tenant} and caller = ${command.caller} and tool = ${command.tool}
      and key = ${command.key} and step = ${step}`);
}

async function keptValue(tx: TenantTransaction, command: Command, step: number): Promise<unknown> {
  const [row] = await tx.query<{ digest: string; value: Buffer; erased: boolean }>(sql`
    select arguments_digest as digest, value, erased_at is not null as erased from tools.command_step
    where tenant_id = ${tx.context.tenant} and caller = ${command.caller} and tool = ${command.tool}
      and key = ${command.key} and step = ${step}`);
  if (row === undefined || row.digest !== command.argumentsDigest) throw conflict();
  if (row.erased) throw erased();
  return deserialize(row.value) as unknown;
}

const erased = (): Error =>
  errors(
    'answer_erased',
    'The result of this command was erased with a person’s data, and the command is not repeated. Choose a new key for ' +
      'a new command.',
  );

const conflict = (): Error =>
  fail(
    'idempotency_conflict',
    'This idempotency_key was used with other arguments: choose a new key for a new command.',
  );
