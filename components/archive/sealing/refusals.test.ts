import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { readChain } from '@steward/audit';
import { pastChain } from '@steward/audit/testing';
import { dayPaths } from '../format/paths.ts';
import { createSealingWorld, sealed, tamper, manifestOf } from '../fixtures/sealing.ts';

describe('what must not be signed', () => {
  test('is a day that is not over, by the clock of the database', async () => {
    await using site = await createSealingWorld();
    const one = site.process();
    const tenant = await one.tenant();
    const [now] = await site.world.admin.query<{ today: string }>(
      sql`select (clock_timestamp() at time zone 'UTC')::date::text as today`,
    );
    await assert.rejects(one.archive.seal({ through: now?.today ?? '' }), /is not over/);
    assert.equal((await readChain(one.as(tenant, 'alice'), {})).sealedThrough, null);
  });

  test('is a broken chain, and that one only; the platform waits for it', async () => {
    await using site = await createSealingWorld();
    const { archive } = site.process();
    const { admin } = site.world;
    const chain = async (): Promise<string> => pastChain(admin, { days: { '2026-03-01': 4, '2026-03-03': 1 } });
    const [sound, text, gap, cut, whole, renumbered, head] = [
      await chain(),
      await chain(),
      await chain(),
      await chain(),
      await chain(),
      await chain(),
      await chain(),
    ];
    await tamper(
      admin,
      `update audit.event set event = replace(event, 'Ångström', 'Angstrom') where tenant_id = '${text}' and sequence = 2`,
      `delete from audit.event where tenant_id = '${gap}' and sequence = 2`,
      `delete from audit.event where tenant_id = '${cut}' and sequence > 2`,
      `delete from audit.event where tenant_id = '${whole}'`,
      `update audit.event set received_at = received_at - interval '3 days' where tenant_id = '${renumbered}' and sequence = 3`,
      `update audit.head set row_hash = sha256('x') where tenant_id = '${head}'`,
    );
    const { refused, days, platformDays } = await archive.seal({ through: '2026-03-03' });
    const told = Object.fromEntries(refused.map(({ owner, day, message }) => [owner, `${day} ${message}`]));
    assert.deepEqual(Object.keys(told).toSorted(), [text, gap, cut, whole, renumbered, head].toSorted());
    assert.match(told[text] ?? '', /^2026-03-01 .*sequence 2: the row does not follow/);
    assert.match(told[gap] ?? '', /^2026-03-01 .*sequence 2: rows are missing/);
    assert.match(told[cut] ?? '', /^2026-03-01 .*sequence 3: rows are missing/);
    assert.match(told[whole] ?? '', /sequence 1: rows are missing/);
    assert.match(told[renumbered] ?? '', /^2026-03-01 .*sequence 3: the row does not follow/);
    assert.match(told[head] ?? '', /^2026-03-03 .*sequence 5: the head does not bear the hash/);
    assert.deepEqual([days, platformDays], [3 + 2, 0]);
    assert.equal((await manifestOf(site.folder, sound, '2026-03-03')).lastSequence, 5);
    const again = await archive.seal({ through: '2026-03-03' });
    assert.deepEqual([again.days, again.refused.length], [0, 6]);
  });

  test('is a chain whose end was cut off together with its head', async () => {
    await using site = await createSealingWorld();
    const { archive } = site.process();
    const { admin } = site.world;
    const tenant = await pastChain(admin, { days: { '2026-03-01': 3 } });
    await sealed(archive, '2026-03-01');
    await tamper(
      admin,
      `delete from audit.event where tenant_id = '${tenant}' and sequence = 3`,
      `update audit.head set sequence = 2, row_hash = (select row_hash from audit.event e where e.tenant_id = '${tenant}' and sequence = 2) where tenant_id = '${tenant}'`,
    );
    await assert.rejects(sealed(archive, '2026-03-02'), /the chain ends at 2, and was sealed up to 3/);
  });

  test('is a day in whose place something stands in the archive; the days of others are sealed', async () => {
    await using site = await createSealingWorld();
    const { archive } = site.process();
    const day = '2026-03-01';
    const place = (tenant: string, part: keyof ReturnType<typeof dayPaths>): string =>
      join(site.folder, dayPaths(tenant, day)[part]);
    const obstacles: Record<string, (tenant: string) => Promise<unknown>> = {
      'bytes for rows': async (tenant) => writeFile(place(tenant, 'rows'), 'x'),
      'bytes for a manifest': async (tenant) => writeFile(place(tenant, 'manifest'), 'x'),
      'bytes for a checkpoint': async (tenant) => writeFile(place(tenant, 'checkpoint'), 'x'),
      'a folder': async (tenant) => mkdir(place(tenant, 'manifest')),
      'a link': async (tenant) => symlink('/dev/zero', place(tenant, 'checkpoint')),
      'a pipe': async (tenant) => void execFileSync('/usr/bin/env', ['mkfifo', place(tenant, 'manifest')]),
      'a terabyte': async (tenant) => {
        await writeFile(place(tenant, 'manifest'), '');
        await truncate(place(tenant, 'manifest'), 2 ** 40);
      },
    };
    const sound = await pastChain(site.world.admin, { days: { [day]: 1 } });
    const names = new Map<string, string>();
    for (const [what, stand] of Object.entries(obstacles)) {
      const tenant = await pastChain(site.world.admin, { days: { [day]: 1 } });
      names.set(tenant, what);
      await mkdir(dirname(place(tenant, 'rows')), { recursive: true });
      await stand(tenant);
    }
    const blocked = await pastChain(site.world.admin, { days: { [day]: 1 } });
    names.set(blocked, 'a file for a folder');
    await writeFile(join(site.folder, blocked), 'x');
    const { refused, days } = await archive.seal({ through: day });
    assert.deepEqual(refused.map(({ owner }) => names.get(owner)).toSorted(), [...names.values()].toSorted());
    assert.ok(
      refused.every(({ message }) => message.includes('the archive holds') || message.includes('The archive holds')),
    );
    assert.equal(days, 1);
    assert.equal((await manifestOf(site.folder, sound, day)).count, 1);
    const early = dayPaths(sound, '2199-01-01').manifest;
    await mkdir(join(site.folder, early), { recursive: true });
    const status = await archive.status();
    const seen = new Map(status.waiting.filter((one) => one.day === day).map(({ owner, there }) => [owner, there]));
    for (const [owner, what] of names) if (owner !== blocked) assert.ok((seen.get(owner)?.length ?? 0) > 0, what);
    assert.deepEqual([seen.has(blocked), seen.has('platform'), seen.has(sound)], [true, true, false]);
    assert.deepEqual(status.early, [early]);
  });
});
