// The public key that this reader trusts, in this browser (nobody else's there): whoever rewrites a log can name other keys, and not this one.

import { useState } from 'react';
import { useTenant } from '../../data/organization.ts';
import { useSession } from '../../data/session.ts';

/** The one for the organization that is open, and what pins another or none. */
export function usePinned(): [pinned: string | undefined, pin: (key: string | undefined) => void] {
  const at = `pinned key ${useTenant()} ${useSession().person.id}`;
  const [pinned, setPinned] = useState(() => localStorage.getItem(at) ?? undefined);
  const pin = (key: string | undefined): void => {
    if (key === undefined) localStorage.removeItem(at);
    else localStorage.setItem(at, key);
    setPinned(key);
  };
  return [pinned, pin];
}
