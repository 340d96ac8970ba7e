import type { Mode } from '../../words.ts';

/** What a handler is asked about. Towards a provider, `paymentId` is the idempotency key. */
export interface PaymentQuestion {
  readonly paymentId: string;
  readonly checkoutId: string;
  /** Minor units. */
  readonly amount: bigint;
  /** ISO 4217. */
  readonly currency: string;
  readonly method: string;
  /** 1 for the first of the checkout. */
  readonly attempt: number;
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

/** A way of paying. It is asked for the same payment any number of times and charges once. */
export interface PaymentHandler {
  readonly name: string;
  readonly modes: readonly Mode[];
  readonly methods: readonly string[];
  /** Answers without leaving the process, so it is asked inside the caller's transaction. */
  readonly local: boolean;
  /** Who gives money back: `merchant` transfers it by other means, `handler` does it at once. */
  readonly refunds: 'merchant' | 'handler';
  authorize(question: PaymentQuestion): Promise<PaymentOutcome>;
  lookUp(question: PaymentQuestion): Promise<PaymentOutcome>;
  /** The buyer's further step. @throws Problem `invalid_request` (400) where `given` is no step of it */
  confirm?(question: PaymentQuestion, given: unknown): Promise<PaymentOutcome>;
}
