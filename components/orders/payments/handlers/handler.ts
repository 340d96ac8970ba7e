import type { TenantContext } from '@steward/sql';
import type { Mode } from '../../words.ts';

/** What a handler is asked about. Towards a provider, `paymentId` is the idempotency key. */
export interface PaymentQuestion {
  readonly paymentId: string;
  readonly checkoutId: string;
  readonly mode: Mode;
  /** Minor units. */
  readonly amount: bigint;
  /** ISO 4217. */
  readonly currency: string;
  readonly method: string;
  /** 1 for the first of the checkout. */
  readonly attempt: number;
  /** What the provider calls it; null while it has not answered. */
  readonly reference: string | null;
  /** Minor units that were captured and are known here. */
  readonly captured: bigint;
  /** Of the tenant at the provider; null: the deployment's. */
  readonly connectionId: string | null;
}

/** What the buyer must do next. It holds no secret: it is stored, and shown to whoever has the checkout's token. */
export interface PaymentAction {
  readonly kind: string;
  readonly url?: string;
  readonly [member: string]: string | readonly string[] | undefined;
}

export type PaymentOutcome =
  | { readonly kind: 'authorized' | 'captured' | 'awaiting'; readonly reference?: string }
  /** `reason`: a code such as `insufficient_funds`. */
  | { readonly kind: 'declined'; readonly reason: string }
  | { readonly kind: 'requires_action'; readonly action: PaymentAction; readonly reference?: string }
  /** No answer came: `lookUp` says later what became of it. */
  | { readonly kind: 'unknown' };

/** What a provider is to do with a payment that it authorized, or give back. Towards it, `id` is the idempotency key. */
export interface ProviderRequest {
  readonly id: string;
  /** `void`: no money of the payment stays; what the provider has captured all the same is given back. */
  readonly kind: 'capture' | 'void' | 'refund';
  /** Minor units. */
  readonly amount: bigint;
  /** 1 for the first time that it is asked for. */
  readonly attempt: number;
}

export type RequestOutcome =
  /** `amount`: of a capture, what was taken where somebody took another amount at the provider. */
  | { readonly kind: 'done'; readonly reference?: string; readonly amount?: bigint }
  /** For good. `reason`: a code. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** It is asked for again; in so many milliseconds, where the provider says so. */
  | { readonly kind: 'unknown'; readonly retryAfter?: number };

/** What is known of a way of paying wherever it is not configured, too. */
export interface HandlerKind {
  readonly name: string;
  readonly modes: readonly Mode[];
  readonly methods: readonly string[];
  /** Answers without leaving the process, so it is asked inside the caller's transaction. */
  readonly local: boolean;
  /** Who gives money back: `merchant` transfers it by other means, `handler` does it at once. */
  readonly refunds: 'merchant' | 'handler';
}

/** A way of paying. It is asked for the same payment any number of times and charges once. */
export interface PaymentHandler extends HandlerKind {
  authorize(question: PaymentQuestion, context: TenantContext): Promise<PaymentOutcome>;
  lookUp(question: PaymentQuestion, context: TenantContext): Promise<PaymentOutcome>;
  /** The buyer's further step. @throws Problem `invalid_request` (400) where `given` is no step of it */
  confirm?(question: PaymentQuestion, given: unknown, context: TenantContext): Promise<PaymentOutcome>;
  /** What the page of the buyer needs for the further step and nobody may keep. Undefined: no step is awaited. */
  secretsOf?(question: PaymentQuestion, context: TenantContext): Promise<Readonly<Record<string, string>> | undefined>;
  /** Of handlers that are not local. It is asked for the same request any number of times and does it once. */
  carryOut?(question: PaymentQuestion, request: ProviderRequest, context: TenantContext): Promise<RequestOutcome>;
}
