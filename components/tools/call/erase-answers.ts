import { sql, type TenantTransaction } from '@steward/sql';

/**
 * Erases what commands answered, and their steps, where one of these texts stands in it: ids, addresses. Their keys answer
 * `answer_erased` from then on and carry nothing out again. A command that is under way is waited for; call this when
 * whatever the texts are about can be read no more. Answers how many commands.
 */
export async function eraseAnswers(tx: TenantTransaction, texts: readonly string[]): Promise<number> {
  const { tenant } = tx.context;
  // What V8 serializes holds a text of Latin letters byte by byte, and others in UTF-16.
  const commands = await tx.query<{ caller: string; tool: string; key: string }>(sql`
    select caller, tool, key from tools.command_step
    where tenant_id = ${tenant}::uuid and erased_at is null and exists (
      select from unnest(${texts}::text[], ${texts.map((text) => Buffer.from(text, 'utf16le'))}::bytea[]) as t (text, wide)
      where strpos(lower(result), lower(t.text)) > 0 or position(convert_to(t.text, 'UTF8') in value) > 0
        or position(t.wide in value) > 0)
    for update`);
  if (commands.length === 0) return 0;
  // A statement of its own: a result that was written before the lock was had is seen by it.
  await tx.query(sql`
    update tools.command_step s set value = null, result = null, erased_at = clock_timestamp()
    from json_to_recordset(${JSON.stringify(commands)}::json) as c (caller text, tool text, key text)
    where s.tenant_id = ${tenant}::uuid and s.caller = c.caller and s.tool = c.tool and s.key = c.key`);
  return new Set(commands.map(({ caller, tool, key }) => JSON.stringify([caller, tool, key]))).size;
}
