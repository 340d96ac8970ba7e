import { operation } from '@steward/access';
import type { Fixed } from '@steward/contract';
import { fail as refuse } from '@steward/kernel';
import { sql, sqlState, type Statement, type TenantContext, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { event } from '../../grammars/own.ts';
import { fail } from '../../errors.ts';
import { erases } from '../../operations.ts';
import { erasePersonal } from '../../policy.ts';
import type { KeyStore } from '../keys/key-store.ts';
import { maxSubject } from '../marks/personal-marks.ts';
import { plainText, recordedReason } from '../reason.ts';

const erased = z.object({
  /** Of the keys that were destroyed; empty where there was nothing left to erase. */
  keyIds: z.array(z.uuid()),
  /** The event that records it; null if nothing was destroyed. */
  eventId: z.uuid().nullable(),
});
type Erased = Fixed<z.output<typeof erased>>;

/**
 * Destroys the keys of a subject, in one transaction with the event that says so. Chain, proofs and archive stay as they
 * are, and nothing sealed with those keys opens again. Repeating it is harmless. The reason must not name the subject.
 * @throws Problem `invalid_request` (400), `insufficient_role` (403), `legal_hold` (409)
 */
export const eraseSubject = operation(
  {
    ...erases,
    input: z.strictObject({ subject: plainText(maxSubject), reason: recordedReason }),
    answer: erased,
    errors: ['legal_hold'],
  },
  async ({ context }, { subject, reason }, { keys }: { readonly keys: Pick<KeyStore, 'forget'> }) => {
    if (names(reason, subject))
      throw refuse('invalid_request', 'The reason names the subject, and the log keeps it for ever: say why, not who.');
    const destroyed = await destroyKeys(context, { subject, keyIds: [], reason });
    keys.forget(context.tenant, [subject]);
    return destroyed;
  },
);

/** An id of a few characters is part of many words (`1` in `article 17`), so it only counts as a whole word. */
function names(reason: string, subject: string): boolean {
  const [text, id] = [reason.toLowerCase(), subject.toLowerCase()];
  return id.length > 4
    ? text.includes(id)
    : text.split(/[^\p{L}\p{N}]+/u).includes(id) || (!/^[\p{L}\p{N}]+$/u.test(id) && text.includes(id));
}

/** By subject, or by the keys' ids: those of them that still live. */
export async function destroyKeys(
  context: TenantContext,
  {
    subject,
    keyIds,
    reason,
  }: { readonly subject?: string; readonly keyIds: readonly string[]; readonly reason: string },
): Promise<Erased> {
  return context
    .require(erasePersonal)
    .write(async (tx) =>
      destroying(
        tx,
        sql`select key_id from audit.erase_subject_keys(${subject ?? null}, ${keyIds}) as erased (key_id) order by 1`,
        reason,
      ),
    );
}

/**
 * Destroys the keys of subjects in the transaction of a caller that erases their other data and has checked who asks for it.
 * Refused under a legal hold also where there are no keys.
 * @throws Problem `legal_hold` (409)
 */
export async function destroySubjectKeys(
  tx: TenantTransaction,
  subjects: readonly string[],
  reason: string,
): Promise<Erased> {
  const one = sql`
    select erased.key_id from unnest(${subjects}::text[]) subject
    cross join lateral audit.erase_subject_keys(subject, '{}') as erased (key_id) order by 1`;
  return destroying(tx, one, reason);
}

async function destroying(tx: TenantTransaction, destroy: Statement, reason: string): Promise<Erased> {
  const rows = await underNoHold(async () => tx.query<{ key_id: string }>(destroy));
  const destroyed = rows.map(({ key_id }) => key_id);
  if (destroyed.length === 0) return { keyIds: destroyed, eventId: null };
  const eventId = tx.record(event('audit.subject.erased', { key_ids: destroyed, reason }));
  return { keyIds: destroyed, eventId };
}

/** @throws Problem `legal_hold` (409) where the database refuses because of one */
export async function underNoHold<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (sqlState(error) !== 'AU409') throw error;
    throw fail(
      'legal_hold',
      'The tenant is under a legal hold: nothing is erased or expires until a person releases it.',
      {
        cause: error,
      },
    );
  }
}
