import type { Effect, Problem, Request } from '@steward/kernel';
import type { z } from 'zod';

/** Decides who is admitted. It runs before the body is read, so that a stranger's megabyte is never parsed. */
export interface Guard<G> {
  /** For the OpenAPI document: nothing, a bearer token, or a bearer token and a tenant. */
  readonly security: 'none' | 'bearer' | 'tenant';
  /** Codes this guard may answer with. */
  readonly errors: readonly string[];
  admit(request: Request): Promise<G> | G;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  /** Text to send as it is, where the very bytes matter. */
  readonly text?: string;
  /**
   * Sent as it comes, no faster than the client reads; a client that leaves ends it early, by `return`. A failure in it
   * cuts the connection, for the status has left: admit, check and record before answering with it.
   */
  readonly stream?: AsyncIterable<string | Uint8Array>;
  /** Content type of `text` and `stream`; JSON unless it says otherwise. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** For the document. */
export interface RouteAnswer {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Of answers that are no JSON. */
  readonly types?: readonly string[];
}

export interface RouteInput<G, P, Q, B> {
  readonly guard: G;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly request: Request;
}

export interface RouteSpec<G, P, Q, B> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Under the component's mount, such as `/api/members/:memberId`. */
  readonly path: string;
  /** By what agents are admitted to it. */
  readonly does: Effect;
  /**
   * What the address gives of the arguments of its tool, as the tool spells them. With the body, whose names are spelled in
   * snake_case, they propose the same; absent where they do not.
   */
  readonly proposes?: (params: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly guard: Guard<G>;
  readonly params?: z.ZodType<P>;
  readonly query?: z.ZodType<Q>;
  readonly body?: z.ZodType<B>;
  /** Instead of `body`, for the document alone: what the handler reads by itself. */
  readonly described?: z.ZodType;
  /** Instead of `body`: a file as it is, up to so many bytes, of one of these content types; the handler gets a Buffer. */
  readonly upload?: { readonly types: readonly string[]; readonly mostBytes: number };
  /** Request headers beyond the guard's, for the document. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  /** Codes beyond the guard's and those every route may answer with. */
  readonly errors?: readonly string[];
  handle(input: RouteInput<G, P, Q, B>): Promise<Answer> | Answer;
  /** The page that a person who visits reads where it is refused; programs read the problem document. */
  refuse?(problem: Problem, request: Request): Answer;
}

/** A route with its types settled; what mounting and the OpenAPI document read. */
export type Route = RouteSpec<unknown, unknown, unknown, unknown>;

/** @example route({ method: 'GET', path: '/api/members', guard: tenantMember, …, handle: ({ guard }) => … }) */
export function route<G, P = undefined, Q = undefined, B = undefined>(spec: RouteSpec<G, P, Q, B>): Route {
  return spec as unknown as Route;
}
