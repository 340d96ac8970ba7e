import { hash } from 'node:crypto';
import { checkoutFail } from '../errors.ts';
import { sql, type Statement, type TenantScope, type TenantTransaction } from '@steward/sql';
import type { Mode } from '@steward/stock';
import { partOf } from '../room/parts.ts';

/** A request that may be repeated: whoever sends it again under the same key gets the same answer. */
export interface Repeatable {
  /** Of the sender's choice. */
  readonly key: string;
  /** What is asked for, such as `cart.lines`. */
  readonly operation: string;
  /** Whose keys these are: a cart, a checkout, or the SDK key under which one is made. */
  readonly of: string;
  /** Of what is asked for, and whether an agent asks. */
  readonly mode: Mode;
  readonly agentId: string | null;
  /** What was sent, as its schema reads it. */
  readonly body: unknown;
  /** Who asks under the key while the first request is under way is refused, rather than to wait for its answer. */
  readonly refusesMeanwhile?: boolean;
}

export interface Answered<T> {
  readonly answer: T;
  /** It is the answer to an earlier request; nothing was done. */
  readonly replayed: boolean;
}

/** That are kept of one cart or checkout: the newest. */
const mostAnswers = 20;

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
const nameOf = ({ operation, key }: Repeatable): Buffer => digest(`${operation} ${key}`);

/** What was answered under the key before. @throws Problem `idempotency_key_reused` (409) where something else was asked for under it */
export type Before<T> = () => T | undefined;

const before =
  <T>(asked: Repeatable, kept: { body_sha256: Buffer; answer: string | null } | undefined): Before<T> =>
  () => {
    if (kept === undefined) return undefined;
    if (!bodyOf(asked).equals(kept.body_sha256))
      throw checkoutFail(
        'idempotency_key_reused',
        'This Idempotency-Key was sent with another body: choose a new key for a new request.',
      );
    return kept.answer === null ? undefined : (JSON.parse(kept.answer) as T);
  };

const bodyOf = ({ body }: Repeatable): Buffer => digest(JSON.stringify(body));

const selectAnswer = (tenant: string, asked: Repeatable): Statement =>
  sql`select body_sha256, answer from checkout.request
    where tenant_id = ${tenant}::uuid and scope_id = ${asked.of}::uuid and request_sha256 = ${nameOf(asked)}::bytea`;

/**
 * What was answered under the key before, whatever has become of goods since then: asked before steps that would end otherwise by now, and once it is
 * proved that whoever asks may know.
 * @throws Problem `idempotency_key_reused` (409)
 */
export async function answeredBefore<T>(
  { context, read }: Pick<TenantScope, 'context' | 'read'>,
  asked: Repeatable | undefined,
): Promise<Answered<T> | undefined> {
  if (asked === undefined) return undefined;
  const [kept] = await read<{ body_sha256: Buffer; answer: string | null }>(selectAnswer(context.tenant, asked));
  const answer = before<T>(asked, kept)();
  return answer === undefined ? undefined : { answer, replayed: true };
}

/**
 * Until the end of the transaction nobody else enters under the key, where its requests refuse that. Call it first: what it comes behind may wait.
 * @throws Problem `idempotency_in_flight` (409)
 */
export async function enter(tx: TenantTransaction, asked: Repeatable | undefined): Promise<void> {
  if (asked?.refusesMeanwhile !== true) return;
  const { tenant } = tx.context;
  const lock = `checkout.request ${tenant} ${asked.of} ${nameOf(asked).toString('base64')}`;
  // Many may read an answer at once.
  const [entered] = await tx.query<{ ours: boolean; answered: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended(${lock}, 0)) as ours, exists (select from checkout.request
      where tenant_id = ${tenant}::uuid and scope_id = ${asked.of}::uuid and request_sha256 = ${nameOf(asked)}::bytea and answer is not null) as answered`);
  if (entered?.ours !== true && entered?.answered !== true)
    throw checkoutFail(
      'idempotency_in_flight',
      'A request under this Idempotency-Key is under way: repeat it in a second.',
      {
        headers: { 'retry-after': '1' },
      },
    );
}

/**
 * Takes the key for this transaction, where nothing is there yet that could be held; who asks with the same one meanwhile waits for it. Call it
 * beside the first statement of the work, so that both travel together, and ask what it answers once it is clear that the caller may know.
 */
export async function claim<T>(tx: TenantTransaction, asked: Repeatable | undefined): Promise<Before<T>> {
  if (asked === undefined) return () => undefined;
  await enter(tx, asked);
  const { tenant } = tx.context;
  const [, [kept]] = (await tx.queryAll([
    sql`insert into checkout.request (tenant_id, scope_id, request_sha256, body_sha256, part)
      values (${tenant}::uuid, ${asked.of}::uuid, ${nameOf(asked)}::bytea, ${bodyOf(asked)}::bytea, ${partOf(asked)}) on conflict do nothing`,
    selectAnswer(tenant, asked),
  ])) as [unknown, { body_sha256: Buffer; answer: string | null }[]];
  return before(asked, kept);
}

/**
 * What was answered under the key before, of a cart or checkout that this transaction holds: whoever asks with the same key meanwhile waits for
 * that. Call it behind the statement that holds, so that both travel together.
 */
export async function recall<T>(tx: TenantTransaction, asked: Repeatable | undefined): Promise<Before<T>> {
  if (asked === undefined) return () => undefined;
  const [kept] = await tx.query<{ body_sha256: Buffer; answer: string | null }>(selectAnswer(tx.context.tenant, asked));
  return before(asked, kept);
}

/** Whether something was begun under the key that has no answer yet: what came of it is answered to whoever asks again. */
export async function wasBegun(tx: TenantTransaction, asked: Repeatable | undefined): Promise<boolean> {
  return asked !== undefined && (await tx.query(selectAnswer(tx.context.tenant, asked))).length > 0;
}

/**
 * Keeps the answer with what the transaction does; null while the work goes on after it, which takes no answer back.
 * @param about what was made, where whoever made it has the key
 */
export function keepAnswer(
  tx: TenantTransaction,
  asked: Repeatable | undefined,
  answer: unknown,
  about: string | null = null,
): void {
  if (asked === undefined) return;
  const { tenant } = tx.context;
  const text = answer === null ? null : JSON.stringify(answer);
  tx.later(sql`
    insert into checkout.request (tenant_id, scope_id, request_sha256, body_sha256, answer, about_id, part)
    values (${tenant}::uuid, ${asked.of}::uuid, ${nameOf(asked)}::bytea, ${bodyOf(asked)}::bytea, ${text}, ${about}::uuid, ${partOf(asked)})
    on conflict (tenant_id, scope_id, request_sha256) do update set answer = coalesce(excluded.answer, request.answer), about_id = excluded.about_id
      where request.body_sha256 = excluded.body_sha256`);
  // Nobody is made to keep what one cart was ever answered. Of what makes something, each answer is about another one.
  if (about === null && text !== null)
    tx.later(sql`
      delete from checkout.request where tenant_id = ${tenant}::uuid and scope_id = ${asked.of}::uuid and about_id is null and created_at <= (
        select created_at from checkout.request where tenant_id = ${tenant}::uuid and scope_id = ${asked.of}::uuid and about_id is null
        order by created_at desc offset ${mostAnswers}::int limit 1)`);
}
