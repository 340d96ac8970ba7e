import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { serve, type Site } from '../../fixtures/serve.ts';
import { createWorld, sample, type Process, type World } from '../../fixtures/world.ts';
import { createKeyStore } from './key-store.ts';
import { readMasterKeys } from './master-key.ts';

const order = (customer: string) =>
  sample({ payload: { order_id: '1', customer_id: customer, customer_email: 'ada@example.com' } });

describe('the master key', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steward-master-'));
  });
  after(async () => rm(folder, { recursive: true }));

  test('is made once in the data folder, however many processes start at once, and only its owner reads it', async () => {
    const all = await Promise.all(Array.from({ length: 16 }, async () => readMasterKeys([], folder)));
    assert.equal(new Set(all.map(([{ bytes }]) => bytes.toString('hex'))).size, 1);
    assert.deepEqual(await readdir(join(folder, 'audit')), ['master-key']);
    assert.equal((await stat(join(folder, 'audit', 'master-key'))).mode & 0o777, 0o600);
  });

  test('may be followed by older ones, one a line, and a broken file is refused and not quoted', async () => {
    const [one, two] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
    const path = join(folder, 'audit', 'master-key');
    await writeFile(path, `${one}\n${two}\n`);
    assert.deepEqual(
      (await readMasterKeys([], folder)).map(({ bytes }) => bytes.toString('hex')),
      [one, two],
    );
    for (const broken of ['', `${one.slice(1)}\n`])
      await writeFile(path, broken).then(async () =>
        assert.rejects(readMasterKeys([], folder), (error: Error) => {
          assert.match(error.message, /restore it/);
          return !error.message.includes(one.slice(1));
        }),
      );
  });
});

describe('a change of the master key', () => {
  let world: World;
  const [old, fresh] = [randomBytes(32), randomBytes(32)];
  let tenant: string;
  let id: unknown;
  const sites: Site[] = [];
  const open = async (...masterKeys: Uint8Array[]): Promise<{ readonly one: Process; readonly site: Site }> => {
    const one = world.process({ masterKeys });
    const site = await serve(one);
    sites.push(site);
    return { one, site };
  };
  before(async () => {
    world = await createWorld();
    const { one, site } = await open(old);
    tenant = await one.tenant();
    ({ id } = (await site.call('/api/audit/events', { tenant, body: order('c-1') })).body);
  });
  after(async () => {
    for (const site of sites) await site[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  const operator = (one: Process): TenantContext => {
    const subject = { type: 'system', id: 'operator' } as const;
    const rest = { requestId: newId(), correlationId: newId() };
    return one.tenancy.systemContext({ tenant, chain: [subject], subject, caller: subject, ...rest });
  };
  const emailIn = async (site: Site, event = id): Promise<unknown> => {
    const { status, body } = await site.call(`/api/audit/events/${String(event)}`, { tenant });
    assert.equal(status, 200);
    return (body['payload'] as Record<string, unknown>)['customer_email'];
  };

  test('refuses the start of a process that lacks one in use, and names it', async () => {
    const [{ id: name }] = await readMasterKeys([old], world.dataDir);
    for (const masterKeys of [[fresh], []])
      await assert.rejects(
        world.process({ masterKeys }).audit.start(),
        (error: Error) => error.message.includes(name) && error.message.includes('AUDIT_MASTER_KEY'),
      );
    await world.process({ masterKeys: [fresh, old] }).audit.start();
  });

  test('leaves values sealed, and seals none, in a process that lacks it', async () => {
    const { site } = await open(fresh);
    assert.deepEqual(Object.keys((await emailIn(site)) as object), ['$sealed', 'key', 'value']);
    const refused = await site.call('/api/audit/events', { tenant, body: order('c-1') });
    assert.deepEqual([refused.status, refused.body['code']], [503, 'master_key_missing']);
    assert.equal((await site.call('/api/audit/events', { tenant, body: order('c-new') })).status, 201);
  });

  test('wraps what is new with the first and opens what older ones wrapped, until all is wrapped anew', async () => {
    const { one, site } = await open(fresh, old);
    assert.equal(await emailIn(site), 'ada@example.com');
    const { body } = await site.call('/api/audit/events', { tenant, body: order('c-2') });
    assert.equal(await one.audit.personal.rewrap(operator(one)), 1);
    assert.equal(await one.audit.personal.rewrap(operator(one)), 0);
    const { one: later, site: after } = await open(fresh);
    await later.audit.start();
    assert.equal(await emailIn(after), 'ada@example.com');
    assert.equal(await emailIn(after, body['id']), 'ada@example.com');
  });

  test('that is lost is given up by erasing what only it opens, and recorded', async () => {
    const [lost, next] = [randomBytes(32), randomBytes(32)];
    const { site } = await open(lost);
    const { body } = await site.call('/api/audit/events', { tenant, body: order('c-3') });
    const [{ id: name }] = await readMasterKeys([lost], world.dataDir);
    const { one, site: after } = await open(next, fresh);
    await assert.rejects(one.audit.start(), /lost/);
    assert.equal(await one.audit.personal.giveUpMaster(operator(one), name), 1);
    await one.audit.start();
    assert.deepEqual(await emailIn(after, body['id']), { $erased: true });
    assert.equal(await emailIn(after), 'ada@example.com');
    assert.equal((await after.call('/api/audit/events', { tenant, body: order('c-3') })).status, 201);
    const [{ id: present }] = await readMasterKeys([next], world.dataDir);
    await assert.rejects(one.audit.personal.giveUpMaster(operator(one), present), RangeError);
  });

  test("is no way for the database to pass a key of its own off as a subject's", async () => {
    const { site } = await open(fresh, old);
    const { body } = await site.call('/api/audit/events', { tenant, body: order('c-4') });
    await world.admin.withClient(async (client) => {
      await client.query('alter table audit.subject_key disable trigger changed_by_its_verbs');
      await client.query(
        `update audit.subject_key k set wrapped = o.wrapped, master = o.master from audit.subject_key o
         where k.tenant_id = $1 and o.tenant_id = $1 and k.subject = 'c-4' and o.subject = 'c-2'`,
        [tenant],
      );
      await client.query('alter table audit.subject_key enable always trigger changed_by_its_verbs');
    });
    assert.deepEqual(Object.keys((await emailIn(site, body['id'])) as object), ['$sealed', 'key', 'value']);
  });
});

describe('remembered keys', () => {
  test('are bounded in number, and made for ten thousand subjects at once', async () => {
    await using world = await createWorld();
    const one = world.process();
    const tenant = await one.tenant();
    const keys = createKeyStore(async () => readMasterKeys([], world.dataDir));
    const subjects = new Set(Array.from({ length: 10_500 }, (_, n) => `subject-${n}`));
    const made = await keys.forIngest(one.as(tenant, 'alice'), subjects);
    assert.equal(made.size, subjects.size);
    assert.equal(keys.size, 10_000);
    const again = await keys.forIngest(one.as(tenant, 'alice'), subjects);
    assert.ok([...subjects].every((subject) => again.get(subject)?.keyId === made.get(subject)?.keyId));
    const rows = await world.admin.query(sql`select from audit.subject_key`);
    assert.equal(rows.length, subjects.size);
  });
});
