import type { Answer } from '@steward/contract';
import type { Problem, Reply } from '@steward/kernel';
import { dictionary } from '@steward/kernel';
import type { Agents, Door } from '../ports.ts';
import type { Outcome } from '../shown/outcome.ts';

/** What is answered is for the agent alone. */
export const answered = ({ status, body, text = JSON.stringify(body), replayed }: Outcome): Answer => ({
  status,
  text,
  headers: { 'cache-control': 'private, no-store', ...(replayed ? { 'idempotent-replayed': 'true' } : {}) },
});

const json = 'application/json; charset=utf-8';

const proven: ReadonlySet<string | undefined> = new Set(['complete_checkout', 'get_order']);

/**
 * The answer to a purchase, or what became of it, in the name of the brand, where it has a key: whoever shows it to others can prove that it is the shop's.
 * @param done name of the operation; undefined: none
 */
export async function signed(
  answer: Answer,
  door: Door,
  { sign }: Pick<Agents, 'sign'>,
  done: string | undefined,
): Promise<Answer> {
  if (!proven.has(done)) return answer;
  const { status, text = '', headers = {} } = answer;
  const fields = await sign(door, { status, headers: { 'content-type': json }, body: Buffer.from(text) });
  return fields === undefined ? answer : { ...answer, headers: { ...headers, ...fields } };
}

/** What the protocol calls codes of ours. */
const codes = dictionary<string>({
  idempotency_key_reused: 'idempotency_conflict',
  write_key_required: 'idempotency_key_required',
  payload_too_large: 'request_too_large',
  rate_limited: 'rate_limit_exceeded',
  cart_limit: 'rate_limit_exceeded',
  payment_attempt_limit: 'rate_limit_exceeded',
  unavailable: 'service_unavailable',
});

/** A fault of the request or of the server, in the form of the protocol: flat. */
export const flat = ({ code, detail, errors }: Problem): Readonly<Record<string, unknown>> => ({
  code: codes[code] ?? code,
  content: detail,
  ...(errors === undefined ? {} : { errors }),
});

export function sendFlat(reply: Reply, problem: Problem, requestId: string): Reply {
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .header('x-request-id', requestId)
    .header('cache-control', 'no-store')
    .type(json)
    .send(Buffer.from(JSON.stringify(flat(problem))));
}
