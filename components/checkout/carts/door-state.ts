import { fail } from '@steward/kernel';
import type { DoorState } from './cart.ts';

/**
 * In bytes: 500 items by SKUs of 64 characters, and addresses. The column takes more, as the database writes them, which puts a space behind each comma
 * and colon.
 */
const most = 80_000;

/** What a door keeps, as JSON. @throws Problem `payload_too_large` (413) */
export function doorStateText(state: DoorState | null): string | null {
  if (state === null) return null;
  const text = JSON.stringify(state);
  if (Buffer.byteLength(text) > most)
    throw fail(
      'payload_too_large',
      `Names, addresses, codes and items come to more than ${most} bytes, which is what is kept of them: send fewer or shorter ones.`,
    );
  return text;
}
