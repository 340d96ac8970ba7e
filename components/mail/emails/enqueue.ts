import { newId } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { sealed, type Email } from './email.ts';

/**
 * Writes emails in the caller's transaction: sent after its commit by any process, at least once, with the same
 * Message-ID each time, and never when it is undone. Nobody waits for a mail server.
 * What waits for an address that is not written to any more is given up when its turn comes.
 * An address that is none makes an email that is given up at once, for the operator to see.
 */
export async function enqueue(tx: TenantTransaction, emails: readonly Email[]): Promise<void> {
  const byKey = new Map(emails.map((email) => [email.key, email]));
  if (byKey.size === 0) return;
  const rows = [...byKey.values()].map((email) => ({ id: newId(), ...sealed(email) }));
  await tx.query(sql`
    insert into mail.letter (tenant_id, letter_id, key, state, recipient, address, subject, text, html, queued_at, next_at, settled_at, reason)
    select ${tx.context.tenant}::uuid, id, decode(key, 'hex'), case when reason is null then 'queued' else 'dead' end,
      recipient, decode(address, 'hex'), subject, text, html, coalesce(at, clock_timestamp()), coalesce(at, clock_timestamp()),
      case when reason is not null then clock_timestamp() end, reason
    from json_to_recordset(${JSON.stringify(rows)}::json) as letter
      (id uuid, key text, recipient text, address text, subject text, text text, html text, at timestamptz, reason text)
    on conflict (tenant_id, key) do update set subject = excluded.subject, text = excluded.text, html = excluded.html
      where letter.state = 'queued' and letter.attempts = 0 and letter.next_at > clock_timestamp()`);
}
