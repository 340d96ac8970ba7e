/** Milliseconds from 1970 to 2000, where PostgreSQL counts from. */
export const epochMs = 946_684_800_000;

/** As readInt32BE does, without its checks: they are a good part of the cost of a row. */
export const int32 = (bytes: Uint8Array, offset: number): number =>
  ((bytes[offset] ?? 0) << 24) |
  ((bytes[offset + 1] ?? 0) << 16) |
  ((bytes[offset + 2] ?? 0) << 8) |
  (bytes[offset + 3] ?? 0);

/** Exact below 2^53. */
export const readInt64 = (bytes: Uint8Array, offset: number): number =>
  int32(bytes, offset) * 2 ** 32 + (int32(bytes, offset + 4) >>> 0);
