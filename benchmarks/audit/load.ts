/** What `callers` callers, each one call at a time, reach in `milliseconds`. */
export interface Load {
  readonly calls: number;
  /** Calls a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export async function load(
  callers: number,
  milliseconds: number,
  call: (sequence: number) => Promise<unknown>,
): Promise<Load> {
  const latencies: number[] = [];
  const start = performance.now();
  const end = start + milliseconds;
  let sequence = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let now = performance.now(); now < end;) {
        await call((sequence += 1));
        const after = performance.now();
        latencies.push(after - now);
        now = after;
      }
    }),
  );
  const rate = latencies.length / ((performance.now() - start) / 1000);
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return { calls: latencies.length, rate, p50: at(0.5), p99: at(0.99) };
}
