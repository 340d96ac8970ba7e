import { useEffect, useState } from 'react';

/**
 * When this person last looked here, in this browser: of the visit before this one, as long as the tab stays. Undefined for the first visit, also where
 * its page is loaded again: what was done before it is news until the tab goes.
 */
export function sinceOf(tenant: string, person: string): string | undefined {
  const within = `since ${tenant} ${person}`;
  const noted = sessionStorage.getItem(within);
  const since = noted ?? localStorage.getItem(`looked ${tenant} ${person}`) ?? '';
  if (noted === null) sessionStorage.setItem(within, since);
  return since === '' ? undefined : since;
}

export function useSince(tenant: string, person: string): string | undefined {
  const [since] = useState(() => sinceOf(tenant, person));
  useEffect(() => localStorage.setItem(`looked ${tenant} ${person}`, new Date().toISOString()), [tenant, person]);
  return since;
}
