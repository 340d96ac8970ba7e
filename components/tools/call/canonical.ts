import { createHash } from 'node:crypto';

/** One text for equal JSON values: keys sorted by UTF-16 code unit, no white space (the order of RFC 8785). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join()}}`;
}

export const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');
