import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** One text for equal JSON values (RFC 8785), and none for `undefined`. */
export const canonicalJson = (value: unknown): string => canonicalize(value) ?? '';

export const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');
