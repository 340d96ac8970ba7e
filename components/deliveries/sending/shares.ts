/** Requests at once, over all endpoints of a process: no tenant takes all of them, and each has always one. */
export interface Shares {
  take(tenant: string): boolean;
  give(tenant: string): void;
}

export function createShares(most: { readonly tenant: number; readonly process: number }): Shares {
  const held = new Map<string, number>();
  let all = 0;
  return {
    take: (tenant) => {
      const own = held.get(tenant) ?? 0;
      if (own > 0 && (own >= most.tenant || all >= most.process)) return false;
      held.set(tenant, own + 1);
      all += 1;
      return true;
    },
    give: (tenant) => {
      const own = (held.get(tenant) ?? 1) - 1;
      if (own === 0) held.delete(tenant);
      else held.set(tenant, own);
      all -= 1;
    },
  };
}
