import { timestamp } from '@steward/kernel';
import type { EventRow } from '../events/row.ts';

/** One line of an export with its LF: RFC 8785 text around the event's own canonical text, which stays as it is. */
export const exportLine = ({ event, prev_hash, received_ms, row_hash, sequence }: EventRow, genesis: Buffer): string =>
  `{"event":${event},"prevHash":"${(prev_hash ?? genesis).toString('hex')}","receivedAt":"${timestamp(Number(received_ms))}","rowHash":"${row_hash.toString('hex')}","sequence":${sequence}}\n`;
