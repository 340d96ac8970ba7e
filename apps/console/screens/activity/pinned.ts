// The public key that this reader trusts, in this browser: whoever rewrites a log can name other keys, and not this one.

const at = (tenant: string): string => `pinned key ${tenant}`;

export const pinnedKey = (tenant: string): string | undefined => localStorage.getItem(at(tenant)) ?? undefined;

export function pinKey(tenant: string, key: string | undefined): void {
  if (key === undefined) localStorage.removeItem(at(tenant));
  else localStorage.setItem(at(tenant), key);
}
