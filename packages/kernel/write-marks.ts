/** How often this process has written for a tenant, as far as a read that is under way could be older. */
export interface WriteMarks {
  /** Another number after each write: what is kept under it is not found once something was written. */
  of(tenant: string): number;
}

/** Longer than any read takes: a read that began before a write must not answer whoever comes after it. Milliseconds. */
const remembered = 60_000;

/** @param onWrite calls back once this process may have written something of a tenant */
export function createWriteMarks(
  onWrite: (then: (tenant: string) => void) => void,
  now: () => number = () => performance.now(),
): WriteMarks {
  /** The last write of each tenant here, the latest last. */
  const writes = new Map<string, { readonly number: number; readonly at: number }>();
  let count = 0;
  onWrite((tenant) => {
    const at = now();
    for (const [oldest, { at: before }] of writes) {
      if (before > at - remembered) break;
      writes.delete(oldest);
    }
    writes.delete(tenant);
    writes.set(tenant, { number: (count += 1), at });
  });
  return { of: (tenant) => writes.get(tenant)?.number ?? 0 };
}
