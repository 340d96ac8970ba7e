/**
 * One row of a day's file, with its LF: RFC 8785 text around the event's own canonical text, which stays as it is.
 * `receivedMs`: milliseconds since the epoch; `rowHash`: lower-case hex.
 */
export const dayLine = (event: string, receivedMs: number, rowHash: string, sequence: number | bigint): string =>
  `{"event":${event},"receivedAt":"${new Date(receivedMs).toISOString()}","rowHash":"${rowHash}","sequence":${sequence}}\n`;
