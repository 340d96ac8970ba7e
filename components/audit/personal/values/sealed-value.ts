import { openBytes, sealBytes } from '@steward/kernel';
import { canonical } from '../../chain/canonical.ts';

/** What a stored payload has in place of a personal value. */
export interface SealedValue {
  readonly $sealed: '1';
  readonly key: string;
  /** base64url of nonce (12 bytes) ‖ ciphertext ‖ tag (16 bytes). */
  readonly value: string;
}

/** Where a value belongs: it opens nowhere else. */
export interface Seat {
  readonly tenant: string;
  readonly event: string;
  /** RFC 6901, into the payload. */
  readonly pointer: string;
}

/** AES-256-GCM over the RFC 8785 text of the value, with its seat as additional data. `key`: 32 bytes. */
export function sealValue(key: Uint8Array, keyId: string, seat: Seat, value: unknown): SealedValue {
  const sealed = sealBytes(key, additional(seat), Buffer.from(canonical(value)));
  return { $sealed: '1', key: keyId, value: sealed.toString('base64url') };
}

/** The value, boxed because it may be anything; undefined where it does not open here with this key. */
export function openValue(key: Uint8Array, seat: Seat, sealed: SealedValue): { readonly value: unknown } | undefined {
  const text = openBytes(key, additional(seat), Buffer.from(sealed.value, 'base64url'));
  return text === undefined ? undefined : { value: JSON.parse(text.toString()) };
}

export const isSealed = (value: unknown): value is SealedValue =>
  typeof value === 'object' &&
  value !== null &&
  '$sealed' in value &&
  value.$sealed === '1' &&
  'key' in value &&
  typeof value.key === 'string' &&
  'value' in value &&
  typeof value.value === 'string';

const additional = ({ tenant, event, pointer }: Seat): string => `audit-sealed/v1\n${tenant}\n${event}\n${pointer}`;
