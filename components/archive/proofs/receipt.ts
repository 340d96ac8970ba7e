import type { Receipt, Sign } from '@steward/audit/chain';
import type { TenantContext } from '@steward/sql';
import { fail } from '../errors.ts';
import { mismatched, type PlacedEvent, readPlaced } from './placed.ts';
import type { SealedDayPorts } from './sealed-day.ts';

/** An event of a day that is not sealed yet, with its signed place in the chain, as docs/guides/audit-archive.md has it. */
export interface SignedEvent extends PlacedEvent {
  readonly format: 'steward-audit-receipt/1';
  readonly receipt: Receipt;
  /** The notes of all signing keys, the first one's first. */
  readonly keys: readonly string[];
}

/**
 * The receipt of an event, to be checked offline with our public key alone: whoever changes the chain later is convicted by it.
 * @throws Problem `not_found` (404), `day_sealed`, `audit_mismatch` (409), `receipt_unavailable` (503), `tenant_forbidden` (403)
 */
export type GiveReceipt = (context: TenantContext, id: string) => Promise<SignedEvent>;

export function receiptGiver(ports: SealedDayPorts & { readonly sign: Sign }): GiveReceipt {
  return async (context, id) => {
    const { placed, day, sealed } = await readPlaced(ports, context, id);
    if (sealed === 'lost') throw mismatched(ports, placed, 'The record of the sealed day is gone');
    // A key's time begins with the first day that was not sealed when it was made: it signs no older one.
    if (sealed !== undefined)
      throw fail('day_sealed', `The day ${day} is sealed: ask for the event's proof, which says more than a receipt.`);
    const { tenant: tenantId, sequence, rowHash, receivedAt } = placed;
    const receipt = await ports.sign({ id, tenantId, sequence, rowHash, receivedAt });
    if (receipt === undefined)
      throw fail('receipt_unavailable', 'This process does not have the key that signs the log: it signs no receipt.');
    return {
      format: 'steward-audit-receipt/1',
      ...placed,
      receipt,
      keys: (await ports.keys.registered()).map(({ note }) => note),
    };
  };
}
