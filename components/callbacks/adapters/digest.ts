import { hash } from 'node:crypto';

/** SHA-256 in hex of parts that are told apart: what names a delivery of a provider that gives it no id. */
export const digestOf = (...parts: readonly string[]): string => hash('sha256', JSON.stringify(parts));
