import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller, MaybePromise } from '@steward/access';
import { requireOneCredential } from '@steward/identity';
import { requestIdOf } from '@steward/kernel';
import { errorMessage } from '../protocol/error.ts';
import { readMessage, RefusedMessage, type Message } from '../protocol/message.ts';
import type { ToolServer, Reply, Visit } from '../rpc/request.ts';
import type { Address, Place } from './address.ts';
import { answerRefusal, answerReply } from './answer.ts';
import { challenged } from './bearer.ts';
import { requireJson, type BodySink, type ReadBody } from './body.ts';
import type { CrossOrigin } from './cross-origin.ts';
import type { HostPolicy } from './hosts.ts';

/** What an endpoint hands to each of its exchanges. */
export interface Counter {
  readonly server: ToolServer;
  /** Label of the metrics. */
  readonly route: string;
  readonly scopes: readonly string[];
  /** @throws Problem 404, 405 or 410 */
  readonly locate: (request: IncomingMessage) => Exclude<Place, { kind: 'retired' }>;
  readonly hosts: HostPolicy;
  readonly crossOrigin: CrossOrigin;
  /** @throws Problem 403 for a caller this surface is not for */
  readonly admit: (caller: Caller) => void;
  readonly readBody: ReadBody;
  readonly dispatch: (message: Message, visit: Visit) => MaybePromise<Reply>;
  readonly manifest: (visit: Visit, head: boolean) => Promise<void>;
}

/** One request and its answer, step by step in the order of contracts §4. Synchronous where no cache is missed. */
export class Exchange implements BodySink {
  readonly request: IncomingMessage;
  readonly since = performance.now();
  readonly #response: ServerResponse;
  readonly #counter: Counter;
  readonly #requestId: string;
  #visit: Visit | undefined;

  constructor(counter: Counter, request: IncomingMessage, response: ServerResponse) {
    this.#counter = counter;
    this.request = request;
    this.#response = response;
    this.#requestId = requestIdOf(request);
  }

  serve(): void {
    const { request } = this;
    const { locate, hosts, crossOrigin } = this.#counter;
    try {
      if (crossOrigin(request, this.#response)) {
        this.#measure(204);
        return;
      }
      const place = locate(request);
      hosts(request);
      const caller = this.#authenticate(place.address);
      if (caller instanceof Promise) this.#enterLater(place, caller);
      else this.#enter(place, caller);
    } catch (cause) {
      this.refuse(cause);
    }
  }

  #authenticate(address: Address): MaybePromise<Caller> {
    const { server } = this.#counter;
    const { authorization } = this.request.headers;
    try {
      requireOneCredential(this.request);
      const caller = server.deps.authenticate(authorization, address.audiences);
      return caller instanceof Promise ? caller.catch((cause: unknown) => this.#challenge(cause, address)) : caller;
    } catch (cause) {
      return this.#challenge(cause, address);
    }
  }

  #challenge(cause: unknown, { metadataUrl }: Address): never {
    const { authorization } = this.request.headers;
    throw challenged(cause, metadataUrl, this.#counter.scopes, /^bearer /i.test(authorization ?? ''));
  }

  #enterLater(place: Exclude<Place, { kind: 'retired' }>, caller: Promise<Caller>): void {
    caller.then((one) => this.#enter(place, one)).catch((cause: unknown) => this.refuse(cause));
  }

  #enter({ kind, address }: Exclude<Place, { kind: 'retired' }>, caller: Caller): void {
    const { request } = this;
    const { admit, manifest, readBody } = this.#counter;
    try {
      admit(caller);
    } catch (cause) {
      this.#challenge(cause, address);
    }
    const visit: Visit = {
      caller,
      address,
      headers: request.headers,
      requestId: this.#requestId,
      since: this.since,
      response: this.#response,
    };
    if (kind === 'manifest') {
      manifest(visit, request.method === 'HEAD').then(
        () => this.#measure(this.#response.statusCode),
        (cause: unknown) => this.refuse(cause),
      );
      return;
    }
    requireJson(request);
    this.#visit = visit;
    readBody(this);
  }

  take(body: Buffer): void {
    if (this.#visit === undefined) return;
    try {
      const reply = this.#counter.dispatch(readMessage(body), this.#visit);
      if (reply instanceof Promise) this.#replyLater(reply);
      else this.#reply(reply);
    } catch (cause) {
      if (cause instanceof RefusedMessage) this.#reply({ status: 400, body: errorMessage(cause.id, cause) });
      else this.refuse(cause);
    }
  }

  #replyLater(reply: Promise<Reply>): void {
    reply.then((one) => this.#reply(one)).catch((cause: unknown) => this.refuse(cause));
  }

  #reply(reply: Reply): void {
    answerReply(this.#response, reply, this.#requestId, this.request.headers['accept-encoding']);
    this.#measure(reply.status);
  }

  refuse(cause: unknown): void {
    answerRefusal(this.#response, cause, this.#requestId, this.#counter.server.deps.log);
    this.#measure(this.#response.statusCode);
  }

  #measure(status: number): void {
    const { server, route } = this.#counter;
    server.deps.metrics.observe(this.request.method ?? '', route, status, (performance.now() - this.since) / 1000);
  }
}
