import type { Role } from '@steward/access';
import type { PrincipalRef } from '@steward/kernel';

/** Ties a principal to a tenant with one role. */
export interface Member {
  readonly principal: PrincipalRef;
  readonly role: Role;
  /** RFC 3339, UTC, milliseconds. */
  readonly addedAt: string;
  /** The client that they were made a member through; undefined for the founder of the tenant. */
  readonly createdThrough: string | undefined;
  /** The client that gave them their role since, where that is another. */
  readonly roleThrough: string | undefined;
  /** The id of the member who invited or added them; undefined for the founder of the tenant, and in rows from before it was stored. */
  readonly createdBy: string | undefined;
  /** Since when they have no access, until somebody restores it. */
  readonly suspendedAt: string | undefined;
  /** As their identity provider last called them; undefined when they never came. */
  readonly displayName: string | undefined;
  readonly email: string | undefined;
}
