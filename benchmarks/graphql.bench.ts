import { start } from './graphql/contestant.ts';
import { createWorld } from './graphql/world.ts';
import { interleave, median, type Bench, type Row } from './report.ts';

const rounds = 15;
const roundMilliseconds = 350;

async function compare(from: string, atLeast: number, tenant: string, url?: string): Promise<Row> {
  using steward = await start('steward', tenant, url);
  using yoga = await start('yoga', tenant, url);
  for (const warm of [steward, yoga, steward, yoga]) await warm.round(700);
  const rates = await interleave(rounds, {
    steward: async () => steward.round(roundMilliseconds),
    yoga: async () => yoga.round(roundMilliseconds),
  });
  const each = (rate: number): string => `${(1e6 / rate).toFixed(0)} µs`;
  const wall = median(steward.throughput) / median(yoga.throughput);
  return {
    name: `auditEvents(limit: 20), rows from ${from}: of GraphQL Yoga`,
    ratio: rates.steward / rates.yoga,
    bar: { atLeast },
    detail: `server CPU ${each(rates.steward)} against ${each(rates.yoga)} a request; by the wall clock ${wall.toFixed(2)}`,
  };
}

const bench: Bench = {
  name: 'GraphQL: the same schema on GraphQL Yoga, requests for each second of server CPU',
  run: async () => {
    await using world = await createWorld(2_000);
    return [await compare('memory', 4, world.tenant), await compare('PostgreSQL', 2, world.tenant, world.url)];
  },
};
export default bench;
