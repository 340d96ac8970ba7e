import { timestamp } from '@steward/kernel';
import type { Envelope } from '../envelope/envelope.ts';
import type { AppendRow } from './statement.ts';

/** An event in its chain, as every surface presents it. */
export interface StoredEvent {
  readonly envelope: Envelope;
  readonly sequence: number;
  /** Lower-case hex, as all hashes that leave Steward. */
  readonly rowHash: string;
  readonly prevHash: string;
  /** RFC 3339, UTC, milliseconds, `Z`. */
  readonly receivedAt: string;
}

/** @param envelope what was sent; the stored event of a repeated key replaces it */
export function storedEvent(envelope: Envelope, row: AppendRow): StoredEvent {
  const { sequence, row_hash, prev_hash, received_ms, event } = row;
  if (sequence === null || row_hash === null || prev_hash === null || received_ms === null)
    throw new Error(`the chain did not answer for an event that it ${row.outcome}`);
  return {
    envelope: event === null ? envelope : (JSON.parse(event) as Envelope),
    sequence: Number(sequence),
    rowHash: row_hash.toString('hex'),
    prevHash: prev_hash.toString('hex'),
    receivedAt: timestamp(Number(received_ms)),
  };
}
