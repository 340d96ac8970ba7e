import type { Caller, Kind, Operation, Role, Surface } from '@steward/access';
import type { TenantContext } from '@steward/sql';
import type { z } from 'zod';
import type { ClientCapability, Question } from './question.ts';

export interface Call {
  readonly caller: Caller;
  readonly surface: Surface;
  readonly requestId: string;
  /**
   * The tenant's context where the call names a tenant. Reads only for tier `read`; rolled back for a preview; under
   * an idempotency key each write happens once.
   */
  readonly context: TenantContext | undefined;
  /** The tenant that the address or the token fixes: no later request of this client can name another. */
  readonly boundTenant: string | undefined;
  /** The command is only to say what it would do. Its writes are rolled back in any case. */
  readonly preview: boolean;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** What the client can be asked for; empty for clients older than 2026-07-28. */
  readonly capabilities: ReadonlySet<ClientCapability>;
  /** The client's answers to a Question, as it sent them. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** What the Question before this call asked to remember. */
  readonly remembered: unknown;
}

/** A call of a tool that cannot be called without a tenant. */
export interface TenantCall extends Call {
  readonly context: TenantContext;
}

/**
 * What a transaction did to money and to what is owed, in minor units of a currency: of what it was posted in, and of the
 * base currency that it was worth.
 */
export interface Outflow {
  readonly currency: string;
  /** What left bank, cash and card accounts, and what settled a debt by another account that holds value. */
  readonly out: bigint;
  /** By how much what is owed to us or by us was brought down and nothing was paid. */
  readonly owed: bigint;
}

export interface Taken {
  readonly flows: readonly Outflow[];
  /** The accounts it ended up in, where they say who has it. */
  readonly to: string | undefined;
}

/** What a tool answers; the dispatcher adds `status` and `tier`. A failure is thrown as a Problem. */
export interface Outcome {
  /** What happened; of a preview what would happen, beginning with “Would”, with no number that is given only then. */
  readonly summary: string;
  readonly data?: unknown;
  readonly warning?: string;
  /**
   * What would change; a preview without it uses `data`. An approval binds it and the rows of everything that the
   * call names, so it must be the same as long as none of them changes: nothing random in it.
   */
  readonly preview?: unknown;
  /** What it paid out, by the ledger. The runner of the tool says so; a tool's own word for it is not read. */
  readonly taken?: Taken;
  /** The action that now awaits a person: the status becomes `pending_approval`. */
  readonly pendingActionId?: string;
  readonly nextRequestHeaders?: Readonly<Record<string, string>>;
  /** All was so already: of a preview it awaits nobody, and the summary says so. */
  readonly unchanged?: boolean;
}

type Answer = Outcome | Question;

/** `amount`: decimal string with exactly the currency's digits (contracts §1), not negative. */
export interface Money {
  readonly amount: string;
  readonly currency: string;
}

/** What approval policies look at. Pure functions of the checked arguments and of what the preview answered. */
export interface ApprovalTraits<A = unknown> {
  /** Money leaves the organization: two people, unless the tenant's policy allows one. */
  readonly moneyOut: boolean | ((args: A, outcome: Outcome) => boolean);
  /** What moves, as it is shown; after it the same in other currencies. Undefined where nothing does. */
  amount?(args: A, outcome: Outcome): Money | readonly [Money, ...Money[]] | undefined;
  /** Who gets it, as an id that changes when the account paid to changes. Only its digest is kept. */
  payee?(args: A, outcome: Outcome): string | undefined;
  /**
   * It changes who may do what in the tenant: the roles of those who may decide about this call. People decide each time, so no
   * standing rule covers it.
   */
  appoints?(args: A, outcome: Outcome): readonly Role[];
  /**
   * A standing rule may cover it although it has no `amount` that the rule could limit, as the closing of a month; a function says which
   * calls. About each call of any other tool without an amount people decide: it may say where money or data go, or be final.
   */
  readonly routine?: true | ((args: A, outcome: Outcome) => boolean);
}

/** Other names for members. */
export type Names = Readonly<Record<string, string>>;

/** What a tool is; `P` is what its component passes to its `run`, which the catalogue gets once the component is made. */
export interface Tool<P = unknown> extends Operation {
  readonly title: string;
  readonly description: string;
  /** Listed at the endpoint itself; the others only under `/p/{pillar}`. */
  readonly core: boolean;
  /** Listed by its area and not by its pillar, which has more tools than a list holds. */
  readonly rare?: boolean;
  /** Own arguments only; `tenant_id`, `preview` and `idempotency_key` are added by kind. */
  readonly input: z.ZodObject;
  /** Shape of `data` on success. */
  readonly output: z.ZodType;
  /** Nothing takes its effect back, no other command either: people see that before they approve. */
  readonly final?: boolean;
  readonly annotations: {
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint?: boolean;
  };
  /**
   * Its answer contains a secret, so the finished result is not kept under an idempotency key: a repeat runs again over the answers of
   * its transactions. Those answers are kept, so the secret must follow from them and not be in them.
   */
  readonly answersSecret?: boolean;
  readonly approval?: ApprovalTraits;
  /** Arguments that its verb has by other names: the verb's, and the tool's. Pointers of the verb's errors lead to the latter. */
  readonly takes?: Names;
  run(call: Call, args: unknown, ports: P): Answer | Promise<Answer>;
}

type Definition<S extends z.ZodObject, K extends Kind, P> = Omit<Tool, 'kind' | 'input' | 'run' | 'approval'> & {
  kind: K;
  input: S;
  approval?: ApprovalTraits<z.infer<S>>;
  run(call: K extends 'bootstrap' ? Call : TenantCall, args: z.infer<S>, ports: P): Answer | Promise<Answer>;
};

/** @example export const listAccounts = tool({ name: 'service_list_accounts', …, run: async (call, args) => … }) */
export function tool<S extends z.ZodObject, K extends Kind, P = unknown>(definition: Definition<S, K, P>): Tool<P> {
  return definition as unknown as Tool<P>;
}
