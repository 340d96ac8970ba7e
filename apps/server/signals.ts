/** A second signal this long after the first means "now"; sooner it is the same one, passed on by npm. Milliseconds. */
const patience = 1_000;

export interface StopSignals {
  /** Aborted by the first SIGINT or SIGTERM, also while the server starts. */
  readonly signal: AbortSignal;
  readonly received: Promise<void>;
}

/** Listens from now on, so that no signal finds the process without a hand for it. */
export function stopSignals(): StopSignals {
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  let first: number | undefined;
  const receive = (): void => {
    if (first !== undefined) {
      if (performance.now() - first > patience) process.exit(130);
      return;
    }
    first = performance.now();
    controller.abort();
    resolve();
  };
  process.on('SIGINT', receive);
  process.on('SIGTERM', receive);
  return { signal: controller.signal, received: promise };
}
