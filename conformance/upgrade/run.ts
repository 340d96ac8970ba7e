import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createProcessWorld, hireAgent, openShop, surroundings, type ProcessWorld } from '@steward/conformance/world';
import { openPool, sql } from '@steward/sql';
import { createStorefront } from '@steward/storefront';
import { checkOutPrevious } from './previous.ts';

// Whether the version before serves beside a newer schema: its server over a database that this one has brought up. By hand:
// `npm run test:upgrade` takes the newest tag of a release, `npm run test:upgrade -- <tag or commit>` another.

const present = fileURLToPath(new URL('../../apps/cli/steward.ts', import.meta.url));

await using previous = await checkOutPrevious(process.argv[2]).catch((error: unknown) => {
  if (!(error instanceof RangeError)) throw error;
  console.error(error.message);
  process.exit(1);
});
const { name } = previous;
const cli = previous.file('apps/cli/steward.ts');
await using world = await createProcessWorld();
await journey(world, 'before@example.com', 'this version');
await world.server.stop();
const schema = await applied(world);

await world.restart(previous.file('apps/server/main.ts'));
await journey(world, 'during@example.com', name);
await verify(world, cli, name);
assert.deepEqual(await applied(world), schema, `${name} changed the schema that it found`);
await world.server.stop();

await world.restart();
await journey(world, 'after@example.com', 'this version again');
await verify(world, present, 'this version');
assert.deepEqual(await applied(world), schema);
console.log(`${name} serves beside this schema.`);

/** A signup, an entry in the books, a form and what a stranger submits, down to the list that the bus fills. */
async function journey(world: ProcessWorld, user: string, by: string): Promise<void> {
  await using agent = await hireAgent(world, user);
  const posted = await agent.call('service_post_journal_entry', {
    date: new Date().toISOString().slice(0, 10),
    currency: 'USD',
    narration: `Posted by ${by}`,
    lines: [
      { account: '6300', debit: '12.50' },
      { account: '1000', credit: '12.50' },
    ],
  });
  const shop = await openShop(agent, ['https://shop.example'], []);
  const page = createStorefront({ baseUrl: world.server.addresses.storefront, sdkKey: shop.key });
  const { submissionId } = await page.submit(shop.formId, {
    full_name: 'Grace Hopper',
    email: 'grace@example.com',
    consent: true,
  });
  const list = `${world.server.addresses.studio}/api/forms/${shop.formId}/submissions`;
  while (!JSON.stringify((await world.call(list, agent)).body).includes(submissionId)) await sleep(50);
  console.log(`${by}: signed up, posted ${JSON.stringify(posted).slice(0, 60)}…, submitted ${submissionId}`);
}

async function verify(world: ProcessWorld, command: string, by: string): Promise<void> {
  const { stdout } = await promisify(execFile)(process.execPath, [command, 'audit', 'verify'], {
    env: {
      ...surroundings,
      DATA_DIR: world.dataDir,
      DATABASE_URL: world.db.appUrl,
      DATABASE_OWNER_URL: world.db.ownerUrl,
    },
  });
  console.log(`${by}: ${stdout.trim().split('\n').at(-1)}`);
}

async function applied(world: ProcessWorld): Promise<unknown> {
  await using admin = openPool({ url: world.db.adminUrl, size: 1 });
  return [
    await admin.query(sql`select * from platform.migration order by component, number`),
    await admin.query(sql`select * from platform.function order by component, name`),
  ];
}
