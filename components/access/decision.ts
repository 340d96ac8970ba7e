import type { Decision, TenantContext } from '@steward/sql';
import type { MaybePromise } from './maybe-promise.ts';

/** Lets the caller behind a context do something, or says why not. @throws the refusal */
export type Ask = (context: TenantContext) => MaybePromise<void>;

/** No access version: what was decided under it never holds. */
const never = -1n;

export interface DecisionPorts {
  /** Drops what is cached of the tenant. */
  forget(): void;
  /** The same caller in the tenant, of whom nothing is decided yet. */
  renew(): TenantContext;
}

/** What was decided about the caller of one request, and how it is asked again where access has changed before they enter their tenant. */
export class AccessDecision implements Decision {
  readonly #ports: DecisionPorts;
  readonly #asks = new Set<Ask>();
  #under: bigint | undefined;
  #again: Promise<void> | undefined;

  constructor(ports: DecisionPorts) {
    this.#ports = ports;
  }

  get under(): bigint | undefined {
    return this.#again === undefined ? this.#under : never;
  }

  /** The oldest version counts: while that is current, so are all. */
  note(version: bigint): void {
    if (this.#under === undefined || version < this.#under) this.#under = version;
  }

  add(ask: Ask): void {
    this.#asks.add(ask);
  }

  /** Whoever enters meanwhile waits for the same. After a refusal nothing that was decided here holds any more. */
  async again(): Promise<void> {
    this.#again ??= this.#askAll().finally(() => {
      this.#again = undefined;
    });
    return this.#again;
  }

  /** In a context of its own, for what is asked may enter the tenant itself. */
  async #askAll(): Promise<void> {
    const { forget, renew } = this.#ports;
    forget();
    const context = renew();
    try {
      for (const ask of this.#asks) askAgain(context, ask);
      for (const ask of this.#asks) await ask(context);
      this.#under = context.decision?.under;
    } catch (refusal) {
      this.#under = never;
      throw refusal;
    }
  }
}

/** Notes what a context's caller was judged by; whoever had no access then is judged again if they have any by now. */
export function judgedBy({ decision }: TenantContext, held: { readonly accessVersion: bigint } | undefined): void {
  if (decision instanceof AccessDecision) decision.note(held?.accessVersion ?? never);
}

/** To be asked again, as it is now, where access has changed before the context enters its tenant. */
export function askAgain({ decision }: TenantContext, ask: Ask): void {
  if (decision instanceof AccessDecision) decision.add(ask);
}
