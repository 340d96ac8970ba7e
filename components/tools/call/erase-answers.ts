import { deserialize } from 'node:v8';
import { mentioning } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';

interface Step extends Record<string, unknown> {
  readonly caller: string;
  readonly tool: string;
  readonly key: string;
  readonly value: Buffer | null;
  readonly result: string | null;
}

/**
 * Erases answers of commands, and their steps, that contain one of these texts: ids, and addresses as a whole. From then on their keys answer
 * `answer_erased` and execute nothing again. Waits for a running command; call this after
 * what the texts are about cannot be read any more. Answers how many commands.
 * @param except tools whose answers contain only ids
 */
export async function eraseAnswers(
  tx: TenantTransaction,
  texts: readonly string[],
  except: readonly string[] = [],
): Promise<number> {
  const { tenant } = tx.context;
  // What V8 serializes holds a text of Latin letters byte by byte, and others in UTF-16.
  const found = await tx.query<Step>(sql`
    select caller, tool, key, value, result from tools.command_step
    where tenant_id = ${tenant}::uuid and erased_at is null and tool <> all (${except}::text[]) and exists (
      select from unnest(${texts}::text[], ${texts.map((text) => Buffer.from(text, 'utf16le'))}::bytea[]) as t (text, wide)
      where strpos(lower(result), lower(t.text)) > 0 or position(convert_to(t.text, 'UTF8') in value) > 0
        or position(t.wide in value) > 0)
    for update`);
  const mentions = mentioning(texts);
  const commands = found
    .filter(({ value, result }) => [...textsIn(value && deserialize(value)), result ?? ''].some(mentions))
    .map(({ caller, tool, key }) => ({ caller, tool, key }));
  if (commands.length === 0) return 0;
  // A statement of its own: it sees a result that was written before it had the lock.
  await tx.query(sql`
    update tools.command_step s set value = null, result = null, erased_at = clock_timestamp()
    from json_to_recordset(${JSON.stringify(commands)}::json) as c (caller text, tool text, key text)
    where s.tenant_id = ${tenant}::uuid and s.caller = c.caller and s.tool = c.tool and s.key = c.key`);
  return new Set(commands.map(({ caller, tool, key }) => JSON.stringify([caller, tool, key]))).size;
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (value instanceof Uint8Array) yield Buffer.from(value).toString();
  else if (value instanceof Map || value instanceof Set) for (const one of value) yield* textsIn(one);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) {
      yield key;
      yield* textsIn(one);
    }
  }
}
