import { hash } from 'node:crypto';

const domain = Buffer.from('audit-row/v1\n');

/**
 * SHA-256 of `audit-row/v1\n` ‖ previous row hash ‖ u64be(sequence) ‖ u64be(receivedAt) ‖ event hash. 32 bytes.
 * `receivedAt`: milliseconds since the epoch.
 */
export function rowHash(previous: Uint8Array, sequence: bigint, receivedAt: bigint, event: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(domain.length + 80);
  domain.copy(bytes);
  bytes.set(previous, domain.length);
  bytes.writeBigUInt64BE(sequence, domain.length + 32);
  bytes.writeBigUInt64BE(receivedAt, domain.length + 40);
  bytes.set(event, domain.length + 48);
  return hash('sha256', bytes, 'buffer');
}
