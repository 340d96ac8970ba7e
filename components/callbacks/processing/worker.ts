import type { Log } from '@steward/kernel';
import { statement, type Row, type SqlPool } from '@steward/sql';
import { createLoop, type Loop } from '@steward/work';
import type { ContextOf } from '../deps.ts';
import { nobody } from '../intake/receive.ts';
import { delivery } from '../deliveries/delivery.ts';
import type { DeliverySeal } from '../deliveries/seal.ts';
import type { CallbackMetrics } from '../metrics.ts';
import type { Receiver } from '../receivers/receiver.ts';
import { applyDelivery, type Leased } from './apply.ts';
import { lease, patience, rest } from './timings.ts';

/** Rounds at once, and deliveries of each: a provider that does not answer holds up one round. */
const loopsOfProcess = 3;
const deliveriesOfRound = 4;

export interface WorkerDeps {
  readonly pool: Pick<SqlPool, 'query'>;
  /** In which a delivery is carried out: the delivery's id is the correlation of all that it does. */
  readonly contextOf: (tenant: string, correlationId: string) => ReturnType<ContextOf>;
  readonly receivers: () => readonly Receiver[];
  readonly seal: Pick<DeliverySeal, 'fits'>;
  readonly metrics: CallbackMetrics;
  readonly log: Log;
}

interface Due extends Row, Omit<Leased, 'shown'> {
  readonly tenant_id: string;
}

const selectDue = `select d.tenant_id, ${delivery.columns}, d.lease, d.begun, d.item, d.body, d.headers, d.seal
  from callbacks.lease($1::uuid, $2::int, make_interval(secs => $3::double precision)) d`;

/** Carries out what was taken: some at once, one tenant after the other. */
export function createWorker({
  pool,
  contextOf,
  receivers,
  seal,
  metrics,
  log,
}: WorkerDeps): Pick<Loop, 'start' | 'stop' | 'wake'> {
  let turn = nobody;
  const carryOut = async (due: Due, signal: AbortSignal) => {
    const shown = delivery.read(due);
    const settled = await applyDelivery(
      contextOf(due.tenant_id, shown.id),
      { ...due, shown },
      { receivers: receivers(), seal },
      signal,
    );
    metrics.settled(settled);
    if (settled === 'dead')
      log.warn({ delivery: shown.id, tenant: due.tenant_id }, 'a delivery of a provider waits for a person');
  };
  const round = async (stopping: AbortSignal): Promise<number> => {
    const due = await pool.query<Due>(statement(selectDue, [turn, deliveriesOfRound, lease / 1000]));
    const last = due.at(-1);
    if (last === undefined) return rest;
    turn = last.tenant_id;
    // There may be more: another round looks for it at once.
    if (due.length === deliveriesOfRound) wake();
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(patience)]);
    const carried = await Promise.allSettled(due.map(async (one) => carryOut(one, signal)));
    const failed = carried.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    return 0;
  };
  const loops = Array.from({ length: loopsOfProcess }, () =>
    createLoop({
      round,
      failed: (error) => log.warn({ err: error }, 'a delivery of a provider was not carried out; it is tried again'),
      retry: { first: 500, longest: 30_000 },
      patience: 10_000,
    }),
  );
  function wake(): void {
    for (const loop of loops) loop.wake();
  }
  return {
    start: () => loops.forEach((loop) => loop.start()),
    stop: async () => void (await Promise.all(loops.map(async (loop) => loop.stop()))),
    wake,
  };
}
