import { canonical } from '../chain/canonical.ts';

/** A tenant's proof of an event's place in its chain; it proves any later difference of the chain. */
export interface Receipt {
  readonly format: 'audit-receipt/v1';
  readonly keyId: string;
  /** Ed25519 over `receiptBytes`, base64url without padding. */
  readonly signature: string;
}

/** Undefined while the process has no key that could be looked up: such a receipt could never be checked. */
export type Sign = (event: Place) => Promise<Receipt | undefined>;

/** What a receipt speaks of. `rowHash`: lower-case hex. */
export interface Place {
  readonly id: string;
  readonly tenantId: string;
  readonly sequence: number;
  readonly rowHash: string;
  readonly receivedAt: string;
}

/**
 * What is signed: `audit-receipt/v1\n` ‖ utf8(RFC 8785 text of `{id, receivedAt, rowHash, sequence, tenantId}`),
 * `rowHash` as lower-case hex, `receivedAt` as `…sssZ`, `sequence` as an integer.
 */
export const receiptBytes = ({ id, receivedAt, rowHash, sequence, tenantId }: Place): Buffer =>
  Buffer.from(`audit-receipt/v1\n${canonical({ id, receivedAt, rowHash, sequence, tenantId })}`);
