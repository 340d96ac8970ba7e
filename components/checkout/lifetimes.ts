/**
 * How long what visitors leave stays, in milliseconds. Every end is an instant in a row that readers compare with the clock, so none of them needs a
 * job to be over; the job only deletes.
 *
 * What a checkout has reserved of stock has no end: it is reserved at the moment of buying, and is kept or given back with its payment.
 */
export const lifetimes = {
  /** Of a cart, from its last change on. */
  cart: 30 * 86_400_000,
  /** Of a checkout, from its last change on. One that is being paid lasts until its payment is settled. */
  session: 86_400_000,
  /** Of a checkout that is paid by a provider, from the moment of buying on: what it has reserved is kept from others for so long. */
  paying: 3_600_000,
  /** Of a payment that nobody asks about any more, until the job follows it up. */
  unattended: 60_000,
  /** Of the answer that is kept under an idempotency key. */
  answer: 2 * 86_400_000,
  /** Of a cart or a checkout without an order after its end, until it is deleted. */
  ended: 30 * 86_400_000,
} as const;

/**
 * When what is changed now ends.
 * @param happenedAt when it is changed, where that is told only now (ADR 32)
 */
export const endOf = (kind: 'cart' | 'session' | 'paying', happenedAt = Date.now()): Date =>
  new Date(happenedAt + lifetimes[kind]);
