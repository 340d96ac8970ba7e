import { useEffect, useState } from 'react';

/** When this person last looked here: of the visit before this one, as long as the tab stays. */
export function useSince(tenant: string): string | undefined {
  const [since] = useState(() => {
    const within = `since ${tenant}`;
    const noted = sessionStorage.getItem(within);
    const before = noted ?? localStorage.getItem(`looked ${tenant}`);
    if (noted === null && before !== null) sessionStorage.setItem(within, before);
    return before ?? undefined;
  });
  useEffect(() => localStorage.setItem(`looked ${tenant}`, new Date().toISOString()), [tenant]);
  return since;
}
