import type { PrincipalRef } from '@steward/kernel';
import { portalFail } from '../errors.ts';

/** For whoever would make somebody a member who is one, and suspended. */
export const suspendedHere = ({ type, id }: PrincipalRef): Error =>
  portalFail(
    'member_suspended',
    `This is a member who was suspended: look at GET /api/suspensions, and end the suspension (POST /api/suspensions/restore with the kind "member" and ` +
      `the id "${type}:${id}"), which takes what deciding takes; or remove the member first.`,
  );
