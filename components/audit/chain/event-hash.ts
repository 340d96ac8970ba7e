import { hash } from 'node:crypto';

/** SHA-256 of `audit-event/v1\n` ‖ utf8(canonical envelope), lower-case hex. */
export const eventHash = (canonicalEvent: string): string => hash('sha256', `audit-event/v1\n${canonicalEvent}`);
