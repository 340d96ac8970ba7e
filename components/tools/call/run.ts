import {
  andThen,
  askAgain,
  errors,
  isTakesPeople,
  judgedBy,
  type Caller,
  type MaybePromise,
  type Surface,
} from '@steward/access';
import { Problem, problemOf } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import type { Returned } from '../catalogue/compile.ts';
import { toldOf } from '../catalogue/told.ts';
import type { ClientCapability } from '../catalogue/question.ts';
import type { Call } from '../catalogue/tool.ts';
import { codes, ProtocolError } from '../protocol/error.ts';
import type { Reply } from '../rpc/request.ts';
import { abortedBy } from './aborted-by.ts';
import { answersOf, askedOf } from './asking.ts';
import { commandOf, finish, finishedResult, once, type Command } from './once.ts';
import type { StateSubject } from './request-state.ts';
import { presentFailure, presentOutcome, type PresentedResult } from './result.ts';
import { propose, visitRequest, waitsForApproval } from './propose.ts';
import type { RunParts } from './run-parts.ts';
import { readOnly, rehearsal } from './scope.ts';

/** One run of one tool. It is the call that the tool sees; what most tools never look at is made when looked at. */
export class Run implements Call {
  readonly caller: Caller;
  readonly surface: Surface;
  readonly requestId: string;
  readonly boundTenant: string | undefined;
  readonly preview: boolean;
  readonly capabilities: ReadonlySet<ClientCapability>;
  readonly answers: Call['answers'];
  readonly remembered: unknown;
  readonly #parts: RunParts;
  readonly #command: Command | undefined;
  #entered: TenantContext | undefined;
  #guarded: TenantContext | undefined;
  #proposes = false;
  #signal: AbortSignal | undefined;

  constructor(parts: RunParts) {
    const { server, request, tenant, tool, checked } = parts;
    const { visit, message } = request;
    const state = message.params['requestState'];
    this.#parts = parts;
    this.caller = visit.caller;
    this.surface = server.surface;
    this.requestId = visit.requestId;
    this.boundTenant = visit.address.tenant ?? visit.caller.tenantClaim;
    this.preview = checked.preview;
    this.capabilities = request.capabilities;
    this.answers = answersOf(message.params);
    this.remembered = state === undefined ? undefined : server.states.open(this.#subject(), stateText(state));
    const { idempotencyKey, own } = checked;
    this.#command =
      idempotencyKey === undefined || checked.preview || tenant === undefined
        ? undefined
        : commandOf(visit.caller, tool.name, idempotencyKey, own);
  }

  get context(): TenantContext | undefined {
    return (this.#guarded ??= this.#guard());
  }

  get signal(): AbortSignal {
    return (this.#signal ??= abortedBy(this.#parts.request.visit.response));
  }

  start(): MaybePromise<Reply> {
    try {
      const going = andThen(this.#waits(), (waits) => (waits ? this.#propose() : this.#perform()));
      return going instanceof Promise ? going.catch(async (cause: unknown) => this.#fail(cause)) : going;
    } catch (cause) {
      return this.#fail(cause);
    }
  }

  #perform(): MaybePromise<Reply> {
    const { tool, checked } = this.#parts;
    try {
      if (this.#command !== undefined) return this.#once(this.#command).catch(async (cause) => this.#refused(cause));
      const returned = tool.run(this, checked.own);
      if (!(returned instanceof Promise)) return this.#present(returned);
      return returned.then((one) => this.#present(one)).catch(async (cause) => this.#refused(cause));
    } catch (cause) {
      return this.#fail(cause);
    }
  }

  /** What it would have done takes people, whatever its tier: nothing of it happened, and they are asked. */
  async #refused(cause: unknown): Promise<Reply> {
    return isTakesPeople(cause) ? this.#propose() : this.#fail(cause);
  }

  /** Commands alone look at the context: it is not made for what reads without one. */
  #waits(context?: TenantContext, profile = this.#parts.tenant?.profile): MaybePromise<boolean> {
    if (this.preview || this.#parts.tool.kind !== 'command') return false;
    return waitsForApproval(this.#parts, context ?? this.#context(), profile);
  }

  #context(): TenantContext | undefined {
    return (this.#entered ??= this.#enter());
  }

  #enter(): TenantContext | undefined {
    const { server, tenant } = this.#parts;
    if (tenant === undefined) return undefined;
    const context = server.deps.contextFor(this.caller, tenant.id, this.requestId);
    judgedBy(context, tenant.profile);
    askAgain(context, (anew) =>
      andThen(tenant.findAgain(), (held) => {
        judgedBy(anew, held);
        return andThen(this.#waits(anew, held), (waits) => {
          if (waits && !this.#proposes) throw this.#nowWaits();
        });
      }),
    );
    return context;
  }

  /** Part of it may be done already, so it is not proposed as a whole. */
  #nowWaits(): Problem {
    const { name } = this.#parts.tool;
    return errors(
      'approval_required',
      `The tool ${name} needs a person’s approval since this moment: call it again to propose it.`,
    );
  }

  #guard(): TenantContext | undefined {
    const context = this.#context();
    if (context === undefined) return undefined;
    if (this.#parts.tool.tier === 'read') return readOnly(context);
    if (this.preview) return rehearsal(context);
    return this.#command === undefined ? context : once(context, this.#command);
  }

  async #once(command: Command): Promise<Reply> {
    const { tool, checked } = this.#parts;
    const stored = await finishedResult(this.#context() as TenantContext, command);
    if (stored !== undefined) return this.#reply('replayed', { json: stored, failed: false });
    const returned = await tool.run(this, checked.own);
    if ('ask' in returned || 'content' in returned) return this.#present(returned);
    const { json } = presentOutcome(tool.tier, returned, false);
    if (tool.tool?.answersSecret === true) return this.#reply('ok', { json, failed: false });
    return this.#keep(command, json);
  }

  async #keep(command: Command, json: string): Promise<Reply> {
    const { server, tool } = this.#parts;
    const kept = await finish(this.#context() as TenantContext, command, json).catch((err: unknown) => {
      // Its effect is committed and each of its steps is kept: a repeat arrives at the same result.
      server.deps.log.warn({ err, requestId: this.requestId, tool: tool.name }, 'the result was not kept');
      return json;
    });
    return this.#reply('ok', { json: kept, failed: false });
  }

  async #propose(): Promise<Reply> {
    const { results, request } = this.#parts;
    this.#proposes = true;
    const context = this.#context() as TenantContext;
    // An action keeps its own key. Where all was so already, or the tool awaited nobody then, there is an answer and no action.
    const stored = this.#command === undefined ? undefined : await finishedResult(context, this.#command);
    if (stored !== undefined) return this.#reply('replayed', { json: stored, failed: false });
    const { outcome, visit } = await propose(this.#parts, context, this.remembered);
    if (outcome.unchanged === true && this.#command !== undefined)
      return this.#keep(this.#command, presentOutcome('approval', outcome, false).json);
    if (visit === undefined) {
      const status = outcome.pendingActionId === undefined ? 'ok' : 'pending_approval';
      return this.#reply(status, presentOutcome('approval', outcome, false));
    }
    const state = this.#parts.server.states.seal(this.#subject(), { visit: visit.nonce });
    this.#measure('input_required');
    return results.inputRequired(request.id, visitRequest(visit), state);
  }

  #subject(): StateSubject {
    const { request, tenant, tool, args } = this.#parts;
    return { caller: request.visit.caller, tenant: tenant?.id, tool: tool.name, args };
  }

  #present(returned: Returned): Reply {
    const { server, results, request, tool } = this.#parts;
    if ('ask' in returned) {
      const { remember } = returned;
      const state = remember === undefined ? undefined : server.states.seal(this.#subject(), remember);
      const reply = askedOf(results, request, tool.tier, returned, state);
      this.#measure('input_required');
      return reply;
    }
    if ('content' in returned) return results.complete(request, JSON.stringify(returned).slice(1, -1));
    return this.#reply('ok', presentOutcome(tool.tier, returned, this.preview));
  }

  async #fail(cause: unknown): Promise<Reply> {
    if (cause instanceof ProtocolError) throw cause;
    const { server, tool } = this.#parts;
    const problem = problemOf(cause);
    if (!(cause instanceof Problem)) {
      server.deps.log.error({ err: cause, requestId: this.requestId, tool: tool.name }, 'tool failed');
    }
    // Who is no member any more writes nothing into the tenant's log.
    const context = problem.status === 403 && problem.code !== 'tenant_forbidden' ? this.#context() : undefined;
    if (context !== undefined) {
      await server.deps.recordDenied(context, { tool: tool.name, code: problem.code, surface: server.surface });
    }
    const { code, detail, errors } = toldOf(problem, tool);
    return this.#reply(code, presentFailure(tool.tier, code, detail, errors));
  }

  #reply(status: string, result: PresentedResult): Reply {
    this.#measure(status);
    return this.#parts.results.tool(this.#parts.request, result);
  }

  #measure(status: string): void {
    const { server, tool, request } = this.#parts;
    server.meter.called(server.surface, tool.name, status, performance.now() - request.visit.since);
  }
}

function stateText(state: unknown): string {
  if (typeof state === 'string') return state;
  throw new ProtocolError(400, codes.invalidParams, 'params.requestState must be a string.');
}
