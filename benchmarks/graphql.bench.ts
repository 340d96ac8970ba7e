import { start } from './graphql/contestant.ts';
import { createWorld } from './graphql/world.ts';
import { type Bench, interleave, median, type Row, sized } from './report.ts';

const peers = { yoga: 'GraphQL Yoga', 'graphql-http': 'graphql-js behind graphql-http' } as const;

const rounds = sized(15);
const roundMilliseconds = 350;

async function compare(
  peer: keyof typeof peers,
  from: string,
  atLeast: number,
  tenant: string,
  url?: string,
): Promise<Row> {
  using steward = await start('steward', tenant, url);
  using other = await start(peer, tenant, url);
  for (const warm of [steward, other, steward, other]) await warm.round(sized(700, 50));
  const rates = await interleave(rounds, {
    steward: async () => steward.round(roundMilliseconds),
    other: async () => other.round(roundMilliseconds),
  });
  const each = (rate: number): string => `${(1e6 / rate).toFixed(0)} µs`;
  const wall = median(steward.throughput) / median(other.throughput);
  return {
    name: `auditEvents(limit: 20), rows from ${from}: of ${peers[peer]}`,
    ratio: rates.steward / rates.other,
    bar: { atLeast },
    detail: `server CPU ${each(rates.steward)} against ${each(rates.other)} a request; by the wall clock ${wall.toFixed(2)}`,
  };
}

const bench: Bench = {
  name: 'GraphQL: the same schema on GraphQL Yoga and graphql-js, requests for each second of server CPU',
  run: async () => {
    await using world = await createWorld(2_000);
    return [
      await compare('yoga', 'memory', 4, world.tenant),
      await compare('yoga', 'PostgreSQL', 2, world.tenant, world.url),
      await compare('graphql-http', 'memory', 1.33, world.tenant),
      await compare('graphql-http', 'PostgreSQL', 1.33, world.tenant, world.url),
    ];
  },
};
export default bench;
