import { listingOf, type Integrations } from '@steward/identity';

/** SDK keys as what lets somebody in from outside. Pages show them to everybody, so nothing is gained by suspending one, and a shop would close. */
export const madeKeys: Integrations = {
  kind: 'sdk_key',
  select: listingOf({
    kind: 'sdk_key',
    from: 'studio.sdk_key k',
    row: 'k',
    id: 'k.key_id',
    name: `k.label || ' (pk_' || k.mode || '_…' || k.last_four || ')'`,
    where: 'k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp())',
  }),
};
