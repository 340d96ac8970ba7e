import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Caller, Surface } from '@steward/access';
import type { RequestStates } from '../call/request-state.ts';
import type { ClientCapability } from '../catalogue/question.ts';
import type { ToolsDeps } from '../catalogue/ports.ts';
import type { Address } from '../door/address.ts';
import type { Meter } from '../meter.ts';
import type { Message } from '../protocol/message.ts';
import type { Era } from '../protocol/modern.ts';
import type { Classes } from '../visibility/classes.ts';

/** What one surface works with. */
export interface ToolServer {
  readonly deps: ToolsDeps;
  readonly surface: Surface;
  readonly classes: Classes;
  readonly states: RequestStates;
  readonly meter: Meter;
}

/** An authenticated request at an address. */
export interface Visit {
  readonly caller: Caller;
  readonly address: Address;
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
  /** When the request began. Milliseconds, as `performance.now` counts. */
  readonly since: number;
  readonly response: ServerResponse;
}

/** A JSON-RPC request that passed the checks of its era. */
export interface RpcRequest {
  readonly id: string;
  readonly era: Era;
  readonly message: Message;
  readonly visit: Visit;
  readonly capabilities: ReadonlySet<ClientCapability>;
}

export interface Reply {
  readonly status: number;
  /** Bytes before the body, ready since before the request. */
  readonly prebuilt?: Buffer;
  /** JSON; empty for a notification. */
  readonly body: string;
  /** Length of the body in UTF-8, where it is known. */
  readonly bytes?: number;
  readonly headers?: Readonly<Record<string, string>>;
}
