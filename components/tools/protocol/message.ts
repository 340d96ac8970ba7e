import { parseJson, Problem } from '@steward/kernel';
import { codes, ProtocolError } from './error.ts';

export type Params = Readonly<Record<string, unknown>>;

/** One JSON-RPC request, or a notification when there is no id. */
export interface Message {
  /** As JSON, to be echoed as sent. */
  readonly id: string | undefined;
  readonly method: string;
  readonly params: Params;
}

const none: Params = {};

/** @throws ProtocolError -32700 for what is not strict JSON, -32600 for what is not one request; `id` if there was one */
export function readMessage(bytes: Uint8Array): Message {
  const value = parse(bytes);
  if (!isObject(value)) {
    throw invalid(
      Array.isArray(value)
        ? 'Send one request at a time: batches are not accepted.'
        : 'Send one JSON-RPC request object.',
    );
  }
  const { jsonrpc, id, method, params } = value;
  const echo = typeof id === 'string' || Number.isSafeInteger(id) ? JSON.stringify(id) : undefined;
  if (id !== undefined && echo === undefined) throw invalid('id must be a string or an integer.');
  if (jsonrpc !== '2.0') throw invalid('jsonrpc must be "2.0".', echo);
  if (typeof method !== 'string') throw invalid('method must be a string.', echo);
  if (params === undefined || params === null) return { id: echo, method, params: none };
  if (!isObject(params)) throw invalid('params must be an object.', echo);
  return { id: echo, method, params };
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A refusal that still knows which request it refuses. */
export class RefusedMessage extends ProtocolError {
  readonly id: string;

  constructor(code: number, message: string, id = 'null') {
    super(400, code, message);
    this.id = id;
  }
}

const invalid = (message: string, id?: string): RefusedMessage => new RefusedMessage(codes.invalidRequest, message, id);

function parse(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch (error) {
    throw new RefusedMessage(codes.parseError, error instanceof Problem ? error.detail : 'The body is not JSON.');
  }
}
