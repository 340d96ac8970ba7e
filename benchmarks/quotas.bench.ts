import { readSubmitted } from '@steward/commerce';
import { newId } from '@steward/kernel';
import { openPool } from '@steward/sql';
import { createTestDatabase } from '@steward/testing';
import { sampleEvent } from './audit/event.ts';
import { childrenOf, cpuOf, postmasterOf } from './processor.ts';
import { type Bench, median, type Row, sized } from './report.ts';
import { openCommerce, sources, type Shop } from './storefront/commerce.ts';

const rounds = sized(11);
const tenants = 8;
const callers = 16;
const calls = sized(1_600, 160);

/**
 * What quotas cost where they are asked: the same calls with them and without, in time of the processor, database included. What each tenant
 * keeps is counted anew in each round, many times as often as a server does, which counts once a minute.
 */
export default {
  name: `Quotas: submissions and events of ${tenants} tenants, ${callers} callers`,
  run: async () => {
    await using db = await createTestDatabase(sources);
    await using admin = openPool({ url: db.adminUrl, size: 1 });
    const postgres = await postmasterOf(admin);
    const sides = await Promise.all(
      [true, false].map(async (quotas) => {
        const commerce = await openCommerce(db.appUrl, { quotas });
        const shops = await Promise.all(Array.from({ length: tenants }, async () => commerce.open(false)));
        return { quotas, commerce, shops };
      }),
    );
    type Side = (typeof sides)[number];
    const submit = async ({ commerce }: Side, { key, formId }: Shop, n: number): Promise<unknown> => {
      const data = Object.fromEntries(
        Array.from({ length: 8 }, (_one, at) => [at === 0 ? 'email' : `field_${at}`, `${n}@example.com`]),
      );
      return commerce.submit({ key, formId, submitted: readSubmitted({ data }), requestId: newId() });
    };
    const ingest = async ({ commerce }: Side, { context }: Shop): Promise<unknown> =>
      commerce.ingest(context, sampleEvent(), 'snake');
    const spent = async (): Promise<number> => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000 + (await cpuOf(await childrenOf(postgres)));
    };
    const report: Row[] = [];
    for (const [name, one] of [
      ['submit', submit],
      ['ingest', ingest],
    ] as const) {
      const measured = { on: [] as number[], off: [] as number[] };
      for (let round = -1; round < rounds; round += 1)
        for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
          side.commerce.meter.forget(undefined);
          const before = await spent();
          let next = 0;
          await Promise.all(
            Array.from({ length: callers }, async () => {
              while (next < calls) {
                const n = next++;
                await one(side, side.shops[n % tenants] as Shop, n);
              }
            }),
          );
          if (round >= 0) measured[side.quotas ? 'on' : 'off'].push(((await spent()) - before) / calls);
        }
      const [on, off] = [median(measured.on), median(measured.off)];
      report.push({
        name: `${name} without quotas, of the time of the processor with them`,
        ratio: median(measured.off.map((without, at) => without / (measured.on[at] as number))),
        bar: { atLeast: 0.97 },
        detail: `${off.toFixed(3)} against ${on.toFixed(3)} ms a call, process and database`,
      });
    }
    for (const { quotas, commerce, shops } of sides) {
      if (quotas) await requireCounted(commerce, shops);
      await commerce.close();
    }
    return report;
  },
} satisfies Bench;

/** A count that failed would have cost nothing. */
async function requireCounted(
  { meter }: Awaited<ReturnType<typeof openCommerce>>,
  shops: readonly Shop[],
): Promise<void> {
  meter.forget(undefined);
  for (const { context } of shops) {
    await meter.usage(context.tenant);
    const used = await meter.usage(context.tenant);
    const measured = used.filter(({ quota }) => quota === 'submissions' || quota === 'events');
    if (measured.length < 2 || measured.some((one) => one.used < calls / tenants))
      throw new Error(`not counted: ${JSON.stringify(used)}`);
  }
}
