import { Problem } from '@steward/kernel';
import { isUndone, sql, type SqlPool, type Statement } from '@steward/sql';
import { createBatcher } from '@steward/work';
import type { Sealed } from '../deliveries/seal.ts';

/** A genuine delivery, as it is to be kept. */
export interface Claim extends Sealed {
  /** Of the body as it came. */
  readonly digest: Buffer;
  /** Of what its signature covers; null where that is the whole body. */
  readonly signed: Buffer | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly mentions: readonly Buffer[];
  readonly seal: Buffer;
  readonly status: 'waiting' | 'held' | 'unclaimed';
}

export interface Claimed extends Record<string, unknown> {
  /** `surplus`: it conflicts, and is kept already, or as many that do are. */
  readonly outcome: 'new' | 'repeated' | 'conflicting' | 'surplus';
  /** Of the one that was taken first, where this one is not new. */
  readonly delivery_id: string;
}

/** One batch is prepared while the other is written to disk. */
const concurrency = 2;
const most = { deliveries: 32, bytes: 4 * 1_048_576 };

/**
 * Group commit: deliveries that come together, of whatever tenants, are taken by one commit, of each tenant in turn. What one of them is at fault for fails that one alone.
 */
export function createClaims(pool: Pick<SqlPool, 'query'>): (claim: Claim) => Promise<Claimed> {
  return createBatcher<Claim, Claimed>({
    open: async (run) => run(),
    concurrency,
    size: (waiting) => Math.min(most.deliveries, waiting),
    most: most.bytes,
    weightOf: ({ body }) => body.length,
    shareOf: ({ tenant }) => tenant,
    commit: async (claims) => {
      const rows = await pool.query<Claimed & { readonly number: number }>(statementOf(claims));
      const answers = new Map(rows.map((row) => [row.number, row]));
      return claims.map((_claim, number) => {
        const answer = answers.get(number);
        return answer && { answer };
      });
    },
    // One that nobody knows the outcome of fails all: their providers send them again, and what was kept is there then.
    onFailure: (error) => (error instanceof Problem && error.status >= 500 && !isUndone(error) ? 'fail' : 'split'),
  });
}

const keyOf = ({ tenant, receiver, provider, account, providerDeliveryId }: Claim): string =>
  JSON.stringify([tenant, receiver, provider, account, providerDeliveryId]);

/** In one order everywhere, so that two processes with the same deliveries wait for each other one way. Bodies travel as they are, one behind the other. */
function statementOf(claims: readonly Claim[]): Statement {
  const inOrder = claims
    .map((claim, number) => ({ claim, number, key: keyOf(claim) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  let starts = 0;
  const rows = inOrder.map(({ claim, number }) => {
    const { tenant, receiver, provider, topic, live, resource, item, headers, status } = claim;
    const row = {
      number,
      tenant,
      receiver,
      provider,
      topic,
      live,
      resource,
      item,
      headers,
      status,
      starts,
      id: claim.deliveryId,
      connection: claim.connectionId,
      account: claim.account ?? '',
      delivery: claim.providerDeliveryId,
      event: claim.eventId,
      occurred: claim.occurredAt,
      bytes: claim.body.length,
      digest: claim.digest.toString('hex'),
      signed: claim.signed?.toString('hex') ?? null,
      mentions: claim.mentions.map((one) => one.toString('hex')),
      seal: claim.seal.toString('hex'),
    };
    starts += claim.body.length;
    return row;
  });
  const bodies = Buffer.concat(inOrder.map(({ claim }) => claim.body));
  return sql`select number, outcome, delivery_id from callbacks.claim(${JSON.stringify(rows)}::json, ${bodies})`;
}
