import { newId } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { keyDigest, type Email } from './email.ts';

/** An email of which nothing is kept but who owes it, to whom and about what: its words are written when its turn comes. */
export interface Owed {
  /** The component that writes it. */
  readonly by: string;
  /** The id of what it reports. */
  readonly about: string;
  /** Id of a person, whose address is looked up as it is sent. */
  readonly reader: string;
}

/** What an owed email says. */
export interface WordsOwed extends Pick<Email, 'to' | 'subject' | 'text' | 'html'> {
  /** Where answers go: an address that the tenant chose. */
  readonly replyTo?: string | undefined;
  /** Where the reader ends such emails with one request (RFC 8058): of an address that settings name. */
  readonly unsubscribe?: string | undefined;
}

/** Answers the present words of an owed email; undefined if there is nothing left to report, or no reader left. */
export type WriteOwed = (tenant: string, owed: Owed) => Promise<WordsOwed | undefined>;

/** The key of an owed email, which makes it one a reader and matter. */
export const owedKey = ({ by, about, reader }: Owed): string => `${by} ${about} ${reader}`;

/** Owes emails from the caller's transaction on, one a reader and matter however often it is said; sent after its commit. */
export async function owe(
  tx: TenantTransaction,
  { by, about, readers }: Pick<Owed, 'by' | 'about'> & { readonly readers: readonly string[] },
): Promise<void> {
  if (readers.length === 0) return;
  const rows = readers.map((reader) => ({ id: newId(), key: keyDigest(owedKey({ by, about, reader })), reader }));
  tx.later(sql`
    insert into mail.letter (tenant_id, letter_id, key, owed_by, about, reader, queued_at, next_at)
    select ${tx.context.tenant}::uuid, id, decode(key, 'hex'), ${by}, ${about}, reader, clock_timestamp(), clock_timestamp()
    from json_to_recordset(${JSON.stringify(rows)}::json) as letter (id uuid, key text, reader text)
    on conflict do nothing`);
}

/** There is news of these matters: everybody who was sent an email gets another one, and nobody else gets any. */
export async function renew(tx: TenantTransaction, by: string, abouts: readonly string[]): Promise<void> {
  if (abouts.length > 0) await tx.query(sql`select mail.renew(${by}, ${abouts}::text[])`);
}
