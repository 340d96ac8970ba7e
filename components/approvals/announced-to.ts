import type { CallerRole } from '@steward/access';
import type { PrincipalRef } from '@steward/kernel';
import { overseeActions } from './permissions.ts';

/** Whether a member may see an event of this component: whoever may see the action that it is about. */
export const announcedTo = (
  { onBehalfOf }: Readonly<Record<string, unknown>>,
  { role, subject }: { readonly role: CallerRole; readonly subject: PrincipalRef },
): boolean => {
  if (overseeActions.roles.has(role)) return true;
  const { type, id } = onBehalfOf as PrincipalRef;
  return type === subject.type && id === subject.id;
};
