import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { emailTo, newTenant, openWorld, until, type World } from '../fixtures/world.ts';

describe('a folder that takes emails', () => {
  let world: World;
  let parent: string;
  before(async () => {
    world = await openWorld();
    parent = await mkdtemp(join(tmpdir(), 'steward-mail-'));
  });
  after(async () => {
    await world[Symbol.asyncDispose]();
    await rm(parent, { recursive: true });
  });

  const states = async (tenant: string) => (await world.rows(tenant)).map(({ state }) => String(state));

  test('has each of them once, as it would be sent and as it reads, for its owner alone', async () => {
    const folder = join(parent, 'made', 'when needed');
    const tenant = newTenant();
    await world.post(tenant, [
      emailTo('ann@example.com', { subject: 'Grüße', text: 'Schöne Grüße.\n', html: '<p>Schöne Grüße.</p>' }),
      emailTo('bob@example.com'),
    ]);
    await using _worker = world.worker({ folder });
    await until(async () => (await states(tenant)).every((state) => state === 'sent'));
    const names = (await readdir(folder)).toSorted();
    assert.deepEqual(
      names.map((name) => name.split('.').at(-1)),
      ['eml', 'txt', 'eml', 'txt'],
    );
    const texts = await Promise.all(names.map(async (name) => readFile(join(folder, name), 'utf8')));
    const [mail = '', said = ''] = [
      texts.find((text) => text.includes('\r\n') && text.includes('ann@')),
      texts.find((text) => text.startsWith('To: ann@')),
    ];
    assert.equal(said, 'To: ann@example.com\nSubject: Grüße\n\nSchöne Grüße.\n');
    assert.match(mail, /^From: Fjord <post@mail\.example\.com>\r$/m);
    assert.match(mail, /^To: ann@example\.com\r$/m);
    assert.match(mail, /^Auto-Submitted: auto-generated\r$/im);
    assert.match(mail, /multipart\/alternative/);
    for (const name of names) assert.equal((await stat(join(folder, name))).mode & 0o077, 0, name);
  });

  test('loses none while it cannot be written', async () => {
    const folder = join(parent, 'in the way');
    await writeFile(folder, '');
    const tenant = newTenant();
    await world.post(tenant, [emailTo('cy@example.com')]);
    await using _worker = world.worker({ folder });
    await until(async () => (await world.rows(tenant)).some(({ attempts }) => Number(attempts) > 0));
    assert.deepEqual(await states(tenant), ['queued']);
    await rm(folder);
    await world.makeDue(tenant);
    await until(async () => (await states(tenant)).includes('sent'));
    assert.equal((await readdir(folder)).length, 2);
  });
});
