import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  createProcessWorld,
  hireAgent,
  openMailbox,
  openShop,
  surroundings,
  type Json,
  type ProcessWorld,
} from '@steward/conformance/world';
import { openPool, statement } from '@steward/sql';
import { poolerVersion, startPooler, type Pooler } from '@steward/testing';

const command = fileURLToPath(new URL('../../apps/cli/steward.ts', import.meta.url));
const desk = 'desk@fjord-bikes.example';

const byRole = {
  jit: 'off',
  statement_timeout: '15s',
  lock_timeout: '10s',
  idle_in_transaction_session_timeout: '30s',
  timezone: 'UTC',
};

const program = process.env['PGBOUNCER_PATH'] ?? '';
const { version, able } = poolerVersion(program);

async function wholeWork(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const mailbox = stack.use(await openMailbox());
  let pooler: Pooler | undefined;
  // Fewer connections than one process opens.
  const settings = 'default_pool_size = 8\nmax_prepared_statements = 250';
  const world: ProcessWorld = stack.use(
    await createProcessWorld({ SMTP_URL: mailbox.url, LIMITS_URL: 'postgres' }, async (db) => {
      await using admin = openPool({ url: db.adminUrl, size: 1 });
      for (const [name, value] of Object.entries(byRole))
        await admin.query(statement(`alter role ${new URL(db.appUrl).username} set ${name} = '${value}'`));
      pooler = stack.use(await startPooler(program, db.appUrl, settings));
      return { DATABASE_URL: pooler.url };
    }),
  );
  await using agent = await hireAgent(world, 'owner@fjord-bikes.example');
  const shop = await openShop(agent, ['https://fjord-bikes.example'], [desk]);
  await agent.call('service_update_organization', { name: 'Fjord Bikes' });
  const other = await world.another();
  const there = await world.token({ user: 'owner@fjord-bikes.example' }, other);

  const organization = await world.call(`${other.addresses.portal}/api/organization`, {
    token: there,
    tenant: agent.tenant,
  });
  assert.equal(organization.body['name'], 'Fjord Bikes');

  // More at once, by both, than there are connections.
  const numbers = Array.from({ length: 30 }, (_, n) => n);
  const answers = await Promise.all(
    numbers.flatMap((n) => {
      const at = n % 2 === 0 ? world.server : other;
      return [
        world.call(`${at.addresses.storefront}/forms/${shop.formId}/submit`, {
          headers: { 'x-service-sdk-key': shop.key },
          body: { data: { full_name: `Ada ${n}`, email: `ada${n}@example.com`, consent: true } },
        }),
        world.call(`${at.addresses.accounting}/api/audit/events`, {
          token: at === other ? there : agent.token,
          tenant: agent.tenant,
          body: {
            type: 'commerce.order.imported',
            event_version: '1.0.0',
            grammar: 'commerce',
            source: 'test',
            payload: { order_id: `order-${n}` },
            principal_chain: [{ principal_type: 'service', principal_id: 'shop' }],
            occurred_at: '2026-01-01T00:00:00Z',
            idempotency_key: `order-number-${n}`,
          },
        }),
      ];
    }),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201], JSON.stringify(answers));
  const emails = async (): Promise<number> => mailbox.emails.filter(({ to }) => to.includes(desk)).length;
  // Strangers are told of a few an hour.
  while ((await emails()) === 0) await sleep(20);

  const child = spawn(process.execPath, [command, 'audit', 'verify', '--json'], {
    env: {
      ...surroundings,
      DATA_DIR: world.dataDir,
      DATABASE_URL: pooler?.url,
      DATABASE_OWNER_URL: world.db.ownerUrl,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const out = Array.fromAsync(child.stdout);
  await once(child, 'close');
  const verdict = JSON.parse(Buffer.concat(await out).toString()) as Json;
  assert.equal(verdict['ok'], true, JSON.stringify(verdict));
  assert.ok(Number(verdict['events']) > 60);
  assert.equal(await other.stop(), 0);
  assert.equal(await world.server.stop(), 0);
  for (const { output } of [world.server, other]) assert.doesNotMatch(output(), /"level":(?:50|60)/);
}

async function refusal(): Promise<void> {
  let pooler: Pooler | undefined;
  await using _ = {
    [Symbol.asyncDispose]: async () => pooler?.[Symbol.asyncDispose](),
  };
  const through = createProcessWorld({}, async (db) => {
    pooler = await startPooler(program, db.appUrl, '');
    return { DATABASE_URL: pooler.url };
  });
  await assert.rejects(through, /use PgBouncer 1\.21 or newer/);
}

if (able) test(`two processes whose every transaction is pooled by PgBouncer ${version} do the whole work`, wholeWork);
else test(`a start through PgBouncer ${version} is refused in one sentence`, refusal);
