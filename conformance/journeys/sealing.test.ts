import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, test } from 'node:test';
import { backdate, createWorld, daysAgo, surroundings, type Ran, type World } from '@steward/conformance/world';
import { openPool } from '@steward/sql';

const verifier = fileURLToPath(
  new URL('../../components/verification/verifier/steward-audit-verify.mjs', import.meta.url),
);

async function verify(world: World, key: string): Promise<Ran> {
  const archive = join(world.dataDir, 'archive');
  const child = spawn(process.execPath, [verifier, '--archive', archive, '--key', key], {
    env: surroundings,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  child.stderr.on('data', (chunk) => (err += String(chunk)));
  const [code] = (await once(child, 'close')) as [number];
  return { code, out, err };
}

const steward = async (world: World, ...args: readonly string[]): Promise<Ran> => world.command(args);

describe('sealed days', () => {
  test('from a command and from the background, verified by a stranger with the published key', async () => {
    await using world = await createWorld({ AUDIT_SEAL: 'off' });
    await using admin = openPool({ url: world.db.adminUrl, size: 1 });
    const { tenant, token } = await world.signUp('alice@example.com');
    await world.signUp('bob@example.com');
    await backdate(admin, 4);
    const [today, yesterday, third, fourth] = await Promise.all([0, 1, 3, 4].map(async (n) => daysAgo(admin, n)));
    const { accounting } = world.server.addresses;
    const sealedThrough = async () =>
      (await world.call(`${accounting}/api/audit/chain`, { token, tenant })).body['sealed_through'] as unknown;

    const early = await steward(world, 'audit', 'seal', '--day', today ?? '');
    assert.deepEqual([early.code, early.out], [1, '']);
    assert.match(early.err, new RegExp(`^${today} is not over: by the clock of the database it is ${today}`));
    const wrong = await steward(world, 'audit', 'seal', '--day', '2026-02-30');
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /--day[^]*audit seal --day/);
    assert.doesNotMatch(wrong.err, /audit export/);
    const nobody = '01a00000-0000-7000-8000-000000000000';
    const stranger = await steward(world, 'audit', 'seal', '--day', fourth ?? '', '--tenant', nobody);
    assert.deepEqual([stranger.code, stranger.out, stranger.err], [1, '', 'There is no such tenant.\n']);
    assert.equal(await sealedThrough(), null);

    const one = await steward(world, 'audit', 'seal', '--day', fourth ?? '', '--tenant', tenant);
    assert.deepEqual([one.code, one.err], [0, '']);
    assert.match(one.out, /^1 days of tenants and 0 of the platform sealed/);
    const rest = await steward(world, 'audit', 'seal', '--day', third ?? '');
    assert.deepEqual([rest.code, rest.out], [0, `3 days of tenants and 2 of the platform sealed, up to ${third}.\n`]);
    assert.equal(await sealedThrough(), third);

    const listed = await steward(world, 'audit', 'keys');
    const published = (await world.call(`${accounting}/api/audit/keys`, {})).body['items'] as unknown as {
      readonly verifier_key: string;
    }[];
    assert.deepEqual(
      listed.out.trim().split('\n'),
      published.map(({ verifier_key }) => verifier_key),
    );
    const rotated = await steward(world, 'audit', 'rotate-key');
    assert.equal(rotated.code, 0, rotated.err);

    // A server that seals in the background, with the new key; the first one goes on serving.
    await world.beside({ AUDIT_SEAL: 'on', AUDIT_SEAL_GRACE_MINUTES: '0' });
    while ((await sealedThrough()) !== yesterday) await sleep(50);
    const key = published[0]?.verifier_key ?? '';
    let verdict = await verify(world, key);
    // The platform's day comes last.
    while (/missing|is not sealed yet/.test(verdict.out)) {
      await sleep(50);
      verdict = await verify(world, key);
    }
    assert.equal(verdict.code, 0, verdict.out + verdict.err);
    assert.match(verdict.out, new RegExp(`newest sealed day ${yesterday}\n2 tenants, 8 days`));
  });
});
