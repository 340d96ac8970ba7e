import type { Answer } from '@steward/contract';
import type { Problem, Reply } from '@steward/kernel';
import { dictionary } from '@steward/kernel';
import type { Outcome } from '../shown/outcome.ts';

/** What is answered is for the agent alone. */
export const answered = ({ status, body, replayed }: Outcome): Answer => ({
  status,
  text: JSON.stringify(body),
  headers: { 'cache-control': 'private, no-store', ...(replayed ? { 'idempotent-replayed': 'true' } : {}) },
});

const json = 'application/json; charset=utf-8';

/** What the protocol calls codes of ours, and with which status it answers them where not with ours. */
const codes = dictionary<readonly [code: string, status?: number]>({
  invalid_request: ['invalid'],
  invalid_json: ['invalid'],
  unauthenticated: ['unauthorized'],
  idempotency_key_reused: ['idempotency_conflict', 422],
  acp_idempotency_key_required: ['idempotency_key_required'],
  acp_door_closed: ['not_found'],
  not_sold: ['invalid', 422],
  checkout_not_ready: ['missing', 400],
  checkout_closed: ['conflict'],
  cart_closed: ['not_found', 404],
  payment_in_progress: ['conflict'],
  payment_not_offered: ['invalid', 400],
  payload_too_large: ['request_too_large'],
  unavailable: ['service_unavailable'],
  cart_limit: ['rate_limited'],
  payment_attempt_limit: ['rate_limited'],
  internal_error: ['processing_error'],
});

/** Members of our verbs, by what they are called here. */
const members = dictionary<string>({
  lines: 'line_items',
  email: 'buyer.email',
  shippingAddress: 'fulfillment_details.address',
  billingAddress: 'payment_data.billing_address',
  shippingOptionId: 'selected_fulfillment_options[0].option_id',
  payment: 'payment_data',
});

/** A pointer of RFC 6901 as a path of RFC 9535; undefined: it is of no body. */
export function paramOf(pointer: string | undefined): string | undefined {
  if (pointer === undefined || !pointer.startsWith('/')) return undefined;
  const [first = '', ...rest] = pointer.slice(1).split('/');
  const known = members[first];
  const parts = rest.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const path = (known === undefined ? [first, ...parts] : parts).map(segmentOf).join('');
  return `$${known === undefined ? '' : `.${known}`}${path}`;
}

function segmentOf(name: string): string {
  if (/^\d+$/.test(name)) return `[${name}]`;
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

const typeOf = (status: number): string => {
  if (status === 503) return 'service_unavailable';
  return status >= 500 ? 'processing_error' : 'invalid_request';
};

/** A fault of the request or of the server, in the form of the protocol: flat. */
export function flat(problem: Problem): { readonly status: number; readonly body: Readonly<Record<string, unknown>> } {
  const { detail, errors, members: more } = problem;
  const [code, status = problem.status] = codes[problem.code] ?? [problem.code];
  const fault = errors?.[0];
  const param = problem.code === 'requires_3ds' ? '$.authentication_result' : paramOf(fault?.pointer);
  const ofCard = code === 'invalid' && param?.startsWith('$.payment_method') === true ? 'invalid_card' : code;
  const named = ofCard === 'invalid' && fault?.code === 'required' ? 'missing' : ofCard;
  return {
    status,
    body: {
      type: typeOf(status),
      code: problem.code === 'item_unavailable' ? (fault?.code ?? 'maximum_exceeded') : named,
      message: detail,
      ...(param === undefined ? {} : { param }),
      ...(more?.['supported_versions'] === undefined ? {} : { supported_versions: more['supported_versions'] }),
    },
  };
}

export function sendFlat(reply: Reply, problem: Problem, requestId: string): Reply {
  const { status, body } = flat(problem);
  return reply
    .code(status)
    .headers(problem.headers)
    .header('x-request-id', requestId)
    .header('cache-control', 'no-store')
    .type(json)
    .send(Buffer.from(JSON.stringify(body)));
}
