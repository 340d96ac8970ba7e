import { hash } from 'node:crypto';
import { checkoutFail } from '../errors.ts';
import { sql, type TenantTransaction } from '@steward/sql';

/** A request that may be repeated: whoever sends it again under the same key gets the same answer. */
export interface Repeatable {
  /** Of the sender's choice. */
  readonly key: string;
  /** What is asked for, such as `cart.lines`. */
  readonly operation: string;
  /** Whose keys these are: a cart, a checkout, or the SDK key under which one is made. */
  readonly of: string;
  /** What was sent, as its schema reads it. */
  readonly body: unknown;
}

export interface Answered<T> {
  readonly answer: T;
  /** It is the answer to an earlier request; nothing was done. */
  readonly replayed: boolean;
}

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
const nameOf = ({ operation, key }: Repeatable): Buffer => digest(`${operation} ${key}`);

/** What was answered under the key before. @throws Problem `idempotency_key_reused` (409) where something else was asked for under it */
export type Before<T> = () => T | undefined;

/**
 * Takes the key for this transaction; who asks with the same one meanwhile waits for it. Call it beside the first statement of the work, so that
 * both travel together, and ask what it answers once it is clear that the caller may know.
 */
export async function claim<T>(tx: TenantTransaction, asked: Repeatable | undefined): Promise<Before<T>> {
  if (asked === undefined) return () => undefined;
  const { tenant } = tx.context;
  const body = digest(JSON.stringify(asked.body));
  const [, [kept]] = (await tx.queryAll([
    sql`insert into checkout.request (tenant_id, scope_id, request_sha256, body_sha256)
      values (${tenant}::uuid, ${asked.of}::uuid, ${nameOf(asked)}::bytea, ${body}::bytea) on conflict do nothing`,
    sql`select body_sha256, answer from checkout.request
      where tenant_id = ${tenant}::uuid and scope_id = ${asked.of}::uuid and request_sha256 = ${nameOf(asked)}::bytea`,
  ])) as [unknown, { body_sha256: Buffer; answer: string | null }[]];
  return () => {
    if (kept === undefined || !body.equals(kept.body_sha256))
      throw checkoutFail(
        'idempotency_key_reused',
        'This Idempotency-Key was sent with another body: choose a new key for a new request.',
      );
    return kept.answer === null ? undefined : (JSON.parse(kept.answer) as T);
  };
}

/** Keeps the answer with what the transaction does. */
export function keepAnswer(tx: TenantTransaction, asked: Repeatable | undefined, answer: unknown): void {
  if (asked === undefined) return;
  const { tenant } = tx.context;
  tx.later(sql`update checkout.request set answer = ${JSON.stringify(answer)}
    where tenant_id = ${tenant}::uuid and scope_id = ${asked.of}::uuid and request_sha256 = ${nameOf(asked)}::bytea`);
}
