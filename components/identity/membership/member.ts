import type { PrincipalRef, Role } from '@steward/kernel';

/** Ties a principal to a tenant with one role. */
export interface Member {
  readonly principal: PrincipalRef;
  readonly role: Role;
  /** RFC 3339, UTC, milliseconds. */
  readonly addedAt: string;
  /** As their identity provider last called them; undefined when they never came. */
  readonly displayName: string | undefined;
  readonly email: string | undefined;
}
