import type { Addresses } from '@steward/kernel';
import { mintToken } from '@steward/identity/provider';
import type { Json } from '../demo/client.ts';
import { audiencesOf } from '../instance.ts';

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or the bytes of a file. */
  readonly body?: unknown;
}

/** @throws RangeError with what was refused */
export async function ask(url: string, { method, headers = {}, body }: Asked = {}): Promise<Json> {
  const bytes = body instanceof Uint8Array;
  const answer = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...(body === undefined || bytes ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: bytes ? new Uint8Array(body) : JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new RangeError(`${method ?? ''} ${url} answered ${answer.status}: ${text}`.trim());
  return text === '' ? {} : (JSON.parse(text) as Json);
}

/** Somebody of the business, or an agent that acts for them. */
export interface Hand {
  /** The `data` of a tool's answer; of a proposal, all of it. @param at a pillar, or an area of one */
  call(at: string, tool: string, args?: object): Promise<Json>;
  /** A route of a component. */
  rest(component: 'portal' | 'accounting' | 'commerce' | 'studio', path: string, asked?: Asked): Promise<Json>;
}

export interface Handing {
  readonly dataDir: string;
  readonly addresses: Addresses;
  readonly tenant: string;
  readonly user: string;
}

/** @param who an agent by its name; `approver` is the person themselves where people decide, and nothing the person at work */
export async function handOf(
  { dataDir, addresses, tenant, user }: Handing,
  who: { readonly agent: string } | { readonly approver: true } | object = {},
): Promise<Hand> {
  const token = await mintToken({ dataDir, issuer: addresses.issuer, audiences: audiencesOf(addresses), user, ...who });
  const headers = { authorization: `Bearer ${token}`, 'x-tenant-id': tenant };
  let id = 0;
  return {
    rest: async (component, path, asked = {}) =>
      ask(`${addresses[component]}${path}`, { ...asked, headers: { ...headers, ...asked.headers } }),
    call: async (at, name, args = {}) => {
      const body = { jsonrpc: '2.0', id: (id += 1), method: 'tools/call', params: { name, arguments: args } };
      const { result, error } = await ask(`${addresses.mcp}/p/${at}`, { body, headers });
      const answer = result?.['structuredContent'];
      if (answer === undefined || String(result?.['isError']) === 'true')
        throw new RangeError(`${name} answered ${JSON.stringify(answer ?? error ?? result)}`);
      return answer['pending_action_id'] === undefined ? (answer['data'] ?? answer) : answer;
    },
  };
}

/** A list in an answer. */
export const listOf = (json: Json | undefined): Json[] => (json as unknown as Json[] | undefined) ?? [];
export const textOf = (json: Json | undefined): string => String(json);
