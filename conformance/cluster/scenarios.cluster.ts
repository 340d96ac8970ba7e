import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Bed, startBed, type Way } from './bed.ts';
import { openShop, type Shop, type Told } from './load.ts';
import { until } from './processes.ts';

// By hand, `npm run test:cluster`: docs/guides/operating.md.

describe('what was acknowledged holds, on more than one machine, and nobody is answered 500', () => {
  let bed: Bed;
  let shop: Shop;
  before(async () => {
    bed = await startBed();
    shop = await openShop(bed);
  });
  after(async () => bed?.[Symbol.asyncDispose]());

  /** Callers at work while `happens`, and what they were told, which holds. */
  const during = async (happens: () => Promise<unknown>): Promise<Told> => {
    await bed.databases.settled();
    const load = shop.load();
    try {
      await load.progress();
      await happens();
      await load.progress();
    } finally {
      await load.stop();
    }
    const told = await load.stop();
    const unknown = [...told.submissions.values()].filter((id) => id === undefined).length;
    console.log(
      `${told.events.size} events, ${told.submissions.size - unknown} submissions, ${unknown} unknown`,
      told.refusals,
    );
    for (const why of told.refusals.keys())
      assert.match(
        why,
        /^\w+ (?:0 |50[234] |503 unavailable|503 outcome_unknown)$/,
        JSON.stringify([...told.refusals]),
      );
    await bed.databases.settled();
    await shop.holds(told);
    return told;
  };
  const another = async (than: string): Promise<unknown> =>
    until('another one leads', async () => (await bed.databases.leader()).name !== than);

  const ways = [
    ['closing', 'a balancer that ends sessions with it'],
    ['keeping', 'a balancer that leaves sessions with it'],
    ['direct', 'all addresses'],
  ] as const satisfies [Way, string][];

  for (const [way, how] of ways) {
    test(`when the leader is killed, reached by ${how}`, async () => {
      await bed.reach(way);
      const leader = await bed.databases.leader();
      await during(async () => {
        await leader.kill();
        await another(leader.name);
        leader.start();
      });
    });

    test(`when another one leads by agreement, reached by ${how}`, async () => {
      await bed.reach(way);
      await during(async () => bed.databases.switchover());
    });

    test(`when nothing comes from the leader any more, until it is back, reached by ${how}`, async () => {
      await bed.reach(way);
      const leader = await bed.databases.leader();
      await during(async () => {
        await leader.freeze();
        try {
          await another(leader.name);
        } finally {
          await leader.thaw();
        }
      });
    });
  }

  test('when nobody can say who leads, so that nobody does', async () => {
    await during(async () => {
      const agree = await bed.databases.disagree();
      try {
        const { origin } = new URL(bed.world.server.addresses.portal);
        await until('none of ours is ready', async () => (await fetch(`${origin}/readyz`)).status === 503);
      } finally {
        agree();
      }
      await bed.databases.leader();
    });
  });

  test('when the one is killed that commits wait for', async () => {
    const standby = await bed.databases.synchronous();
    await during(async () => {
      await standby.kill();
      await until('another one is synchronous', async () => (await bed.databases.synchronous()).name !== standby.name);
      standby.start();
    });
  });

  test('when the leader of NATS is killed', async () => {
    await during(async () => {
      const again = await bed.brokers.killLeader('STEWARD_EVENTS');
      again();
    });
  });

  test('when a process of ours is killed', async () => {
    await during(async () => {
      await bed.processes[1]?.kill();
      await bed.restart(1);
    });
  });

  test('when our processes are restarted in turn, of which no caller notices anything', async () => {
    const leader = await bed.databases.leader();
    const { refusals } = await during(async () => {
      for (const [n, process] of [...bed.processes].entries()) {
        assert.equal(await process.stop(), 0);
        await bed.restart(n);
      }
    });
    assert.equal(
      (await bed.databases.leader()).name,
      leader.name,
      'this machine is too busy: Patroni replaced a leader that was well',
    );
    assert.deepEqual([...refusals], []);
  });
});
