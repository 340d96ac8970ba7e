import type { PrincipalRef } from '@steward/kernel';
import { portalFail } from '../errors.ts';

/** For a caller that wants to add a member who is one already, and suspended. */
export const suspendedHere = ({ type, id }: PrincipalRef): Error =>
  portalFail(
    'member_suspended',
    'This member is suspended. End the suspension by POST /api/suspensions/restore with the kind "member" and the id ' +
      `"${type}:${id}", which needs a token that may decide; or remove the member first.`,
  );
