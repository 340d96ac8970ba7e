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

  for (const [way, how] of [
    ['closing', 'by a balancer'],
    ['direct', 'with all addresses'],
  ] satisfies [Way, string][])
    test(`when the leader is killed, ${how}`, async () => {
      await bed.reach(way);
      const leader = await bed.databases.leader();
      await during(async () => {
        await leader.kill();
        await another(leader.name);
        leader.start();
      });
    });
});
