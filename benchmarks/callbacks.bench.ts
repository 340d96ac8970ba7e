import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { permit, roles } from '@steward/access';
import { createWorld, effect, stripeEvent, type World } from '@steward/callbacks/testing';
import { sql, type TenantContext } from '@steward/sql';
import { type Bench, interleave, type Row, sized } from './report.ts';
import { spender, sumOf } from './spent.ts';

const rounds = sized(7);
const events = sized(3_000, 60);
const anything = permit('anything', [...roles, 'platform']);

/** Of the size that events of payments have. */
const eventOf = (id: string): string =>
  stripeEvent(id, { data: { object: { id: `ob_${id}`, description: 'x'.repeat(1_500) } } });

export default {
  name: 'Callbacks: the intake against a plain insert of the raw row, and the worker against what it does called directly; CPU of both sides',
  run: async () => {
    // Each in a database of its own: a worker would carry out what the other row took in, too.
    return [await inWorld(intake), await inWorld(worker)];
  },
} satisfies Bench;

async function inWorld(measure: (world: World) => Promise<Row>): Promise<Row> {
  await using world = await createWorld(24);
  return await measure(world);
}

async function intake(world: World): Promise<Row> {
  const context = await world.tenant();
  const one = world.process();
  const connection = await world.connected(context, one);
  const spend = await spender(world.admin);
  await world.admin.query(sql`
    create table callbacks_fixture.raw (tenant_id uuid, id uuid primary key, received_at timestamptz default now(), headers jsonb, body bytea)`);
  await world.admin.query(sql`grant insert on callbacks_fixture.raw to public`);
  const { tenant } = context;
  const headers = JSON.stringify({ 'content-type': 'application/json' });
  const { taken, plain } = await interleave(rounds, {
    plain: async () =>
      sumOf(
        await spend(process.pid, events, async () => {
          const id = randomUUID();
          await one.pool.query(
            sql`insert into callbacks_fixture.raw (tenant_id, id, headers, body) values (${tenant}::uuid, ${id}::uuid, ${headers}::jsonb, ${Buffer.from(eventOf(id))})`,
          );
        }),
      ),
    taken: async () =>
      sumOf(await spend(process.pid, events, async () => one.receive(eventOf(`evt_${randomUUID()}`), { connection }))),
  });
  return {
    name: 'intake (find, verify, claim, commit) against one plain insert',
    ratio: plain / taken,
    bar: { atLeast: 0.6 },
    detail: `${taken.toFixed(2)} ms against ${plain.toFixed(2)} ms each`,
  };
}

async function worker(world: World): Promise<Row> {
  const spend = await spender(world.admin);
  const apply = effect.apply as (...given: Parameters<typeof effect.apply>) => ReturnType<typeof effect.apply>;
  const direct = async (context: TenantContext): Promise<number> =>
    sumOf(
      await spend(process.pid, events, async () => {
        const eventId = `evt_${randomUUID()}`;
        await context.require(anything).write(async (tx) => {
          await apply(tx, { eventId, resource: null, data: {} } as never, undefined);
          tx.record({ ...recorded(eventId) } as never);
        });
      }),
    );
  const { followed, called } = await interleave(rounds, {
    called: async () => direct(await world.tenant()),
    followed: async () => {
      const context = await world.tenant();
      const one = world.process();
      const connection = await world.connected(context, one);
      for (let n = 0; n < events; n += 1) await one.receive(eventOf(`evt_${randomUUID()}`), { connection });
      // One thing is waited for: until all of them are settled.
      const spent = await spend(process.pid, 1, async () => {
        one.start();
        for (let left = events; left > 0; await sleep(50))
          left = Number(
            (
              await world.admin.query(
                sql`select count(*)::int as left from callbacks.delivery where tenant_id = ${context.tenant}::uuid and status = 'waiting'`,
              )
            )[0]?.['left'],
          );
      });
      await one.stop();
      return sumOf(spent) / events;
    },
  });
  return {
    name: 'worker (lease, effect, outcome, audit) against the effect and its event',
    ratio: called / followed,
    bar: { atLeast: 0.5 },
    detail: `${followed.toFixed(2)} ms against ${called.toFixed(2)} ms each`,
  };
}

const recorded = (id: string) => ({
  type: 'callbacks.delivery.retried',
  eventVersion: '1.0.0',
  grammar: 'callbacks',
  source: 'callbacks',
  payload: { delivery_id: id.slice(4) },
});
