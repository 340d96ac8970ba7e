import { hash } from 'node:crypto';

/** `row_hash(0)` of a tenant: SHA-256 of `audit-genesis/v1\n` ‖ utf8(tenant id). 32 bytes. */
export const genesis = (tenantId: string): Buffer => hash('sha256', `audit-genesis/v1\n${tenantId}`, 'buffer');
