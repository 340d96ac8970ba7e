import { createHash } from 'node:crypto';
import { newId } from '@steward/kernel';
import { sql, type SqlPool, type Statement } from '@steward/sql';

/**
 * The transaction that a careful person writes for a four-legged entry: the same rows, month lock, balances, outbox and audit
 * event, statement by statement, without verb, tenancy or grammar.
 */
export async function postByHand(
  admin: SqlPool,
  tenant: string,
  accounts: readonly string[],
  day: string,
): Promise<void> {
  await admin.withClient(async (client) => {
    const run = async ({ name, text, values }: Statement) => client.query({ name, text, values: [...values] });
    const [entry, event] = [newId(), newId()];
    const month = `${day.slice(0, 7)}-01`;
    const [bank = '', ...income] = accounts;
    await run(sql`begin`);
    await run(sql`select set_config('app.tenant_id', ${tenant}, true)`);
    await run(
      sql`insert into accounting.period (tenant_id, month) values (${tenant}, ${month}) on conflict do nothing`,
    );
    await run(sql`select status from accounting.period where tenant_id = ${tenant} and month = ${month} for share`);
    const { rows } = await run(sql`
      insert into accounting.series as s (tenant_id, name, next) values (${tenant}, 'journal', 2)
      on conflict (tenant_id, name) do update set next = s.next + 1 returning next - 1 as number`);
    const { number } = rows[0] as { number: bigint };
    await run(sql`
      insert into accounting.entry (tenant_id, entry_id, number, posting_date, currency, rate, narration, kind, event_id)
      values (${tenant}, ${entry}, ${number}, ${day}, 'EUR', 1, 'Sale', 'journal', ${event})`);
    for (const [index, account] of income.entries())
      await run(sql`
        insert into accounting.posting (tenant_id, entry_id, line, debit_account_id, credit_account_id, amount, base_amount, posting_date, number)
        values (${tenant}, ${entry}, ${index + 1}, ${bank}, ${account}, 1000, 1000, ${day}, ${number})`);
    for (const [account, debit, credit] of [[bank, 3000, 0], ...income.map((id) => [id, 0, 1000])].toSorted((a, b) =>
      String(a[0]) < String(b[0]) ? -1 : 1,
    ))
      await run(sql`
        insert into accounting.balance as b values (${tenant}, ${account}, 'EUR', ${month}, false, ${debit}, ${credit}, ${debit}, ${credit})
        on conflict (tenant_id, account_id, currency, month, closing) do update set debit = b.debit + excluded.debit,
          credit = b.credit + excluded.credit, base_debit = b.base_debit + excluded.base_debit, base_credit = b.base_credit + excluded.base_credit`);
    await run(sql`
      insert into bus.outbox (tenant_id, event_id, type, source, subject, data)
      values (${tenant}, ${newId()}, 'accounting.entry.posted', 'accounting', ${entry}, ${JSON.stringify({ entry_id: entry, number: String(number) })})`);
    const text = JSON.stringify({
      id: event,
      payload: { entry_id: entry, number: String(number), amount: '30.00', currency: 'EUR', posting_date: day },
      tenantId: tenant,
      type: 'accounting.entry.posted',
      principalChain: [{ principalId: 'alice', principalType: 'user' }],
    });
    const hash = createHash('sha256').update(`audit-event/v1\n${text}`).digest('hex');
    const line = [
      tenant,
      '',
      '',
      '',
      '',
      event,
      'accounting.entry.posted',
      'accounting',
      new Date().toISOString(),
      '',
      '',
      '{"user:alice"}',
      hash,
      text,
    ].join('\u001f');
    await run(sql`select * from audit.append('tenant', false, ${line})`);
    await run(sql`commit`);
  });
}
