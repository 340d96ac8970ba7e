import { errors } from '../errors.ts';
import type { Executed } from '../execution/execute.ts';
import { Refusal } from './refusal.ts';

/** An execution's outcome, or a Refusal `operation_timeout` (503) when it is late; what comes later is not heard. */
export type InTime = (work: Promise<Executed>) => Promise<Executed>;

/** One clock for all operations, which end in the order they began: a timer for each would cost each. */
export function createDeadline(milliseconds: number): InTime {
  const running = new Set<{ readonly until: number; readonly refuse: (refusal: Refusal) => void }>();
  let clock: NodeJS.Timeout | undefined;
  const tick = (): void => {
    const now = performance.now();
    for (const one of running) {
      if (one.until > now) break;
      running.delete(one);
      one.refuse(late(milliseconds));
    }
    if (running.size > 0) return;
    clearInterval(clock);
    clock = undefined;
  };
  return async (work) =>
    new Promise((resolve, reject) => {
      const one = { until: performance.now() + milliseconds, refuse: reject };
      running.add(one);
      clock ??= setInterval(tick, Math.max(milliseconds / 20, 5)).unref();
      work.finally(() => running.delete(one)).then(resolve, reject);
    });
}

function late(milliseconds: number): Refusal {
  const detail = `The operation took longer than ${milliseconds} ms. Its changes may still take effect.`;
  return new Refusal(errors('operation_timeout', detail, { headers: { 'retry-after': '1' } }));
}
