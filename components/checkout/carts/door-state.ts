import { fail } from '@steward/kernel';
import type { DoorState } from './cart.ts';

/** In bytes. The column takes 200,000 as the database writes them, which puts a space behind each comma and colon. */
const most = 150_000;

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
