import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, test } from 'node:test';
import { createLog, createMetrics, type Log } from '@steward/kernel';
import { sql } from '@steward/sql';
import { pastChain, sample } from '@steward/audit/testing';
import type { ArchiveTarget } from '../../targets/target.ts';
import { createSealingWorld, openFolder, tamper, type SealingWorld } from '../../fixtures/sealing.ts';
import { createPace } from './pace.ts';
import { dayOf } from '../calendar.ts';

/** Recent, so that few days are due up to yesterday. */
const daysAgo = (days: number): string => dayOf(Date.now() - days * 86_400_000);

async function until(what: () => Promise<boolean>): Promise<void> {
  while (!(await what())) await sleep(20);
}

const platformDays = async ({ world }: SealingWorld): Promise<number> =>
  (await world.admin.query(sql`select day from audit.platform_day`)).length;

const behind = async (metrics: ReturnType<typeof createMetrics>, name: string): Promise<number | undefined> =>
  ((await metrics.registry.getSingleMetric(name)?.get())?.values[0] as { value: number } | undefined)?.value;

function listening(): { readonly log: Log; readonly lines: readonly string[] } {
  const lines: string[] = [];
  const log = createLog('silent');
  const error = (_about: unknown, line: string): void => void lines.push(line);
  return { log: Object.assign(log, { error: error as unknown as Log['error'] }), lines };
}

describe('in the background', () => {
  test('days are sealed from the start on, by one process at a time, and the numbers tell', async () => {
    await using site = await createSealingWorld();
    await pastChain(site.world.admin, { days: { [daysAgo(3)]: 2 } });
    const numbers = [createMetrics(), createMetrics()];
    const processes = numbers.map((metrics) => site.process({ seal: { graceMinutes: 0 }, metrics }));
    await Promise.all(processes.map(async (one) => one.start()));
    await until(async () => (await platformDays(site)) === 3);
    // The one that found the other at work looks again in a minute.
    const done = async (): Promise<boolean> => {
      const unsealed = await Promise.all(numbers.map(async (one) => behind(one, 'steward_audit_unsealed_days')));
      return unsealed.includes(0);
    };
    await until(done);
    await Promise.all(processes.map(async ({ stop }) => stop()));
  });

  test('an archive that fails is waited for; the server serves, says it once, and heals without a gap', async () => {
    await using site = await createSealingWorld();
    let failures = 4;
    const failing = async (): Promise<ArchiveTarget> => {
      const target = await openFolder(site.folder);
      return {
        ...target,
        put: async (path, source) => {
          if (failures > 0 && path.endsWith('.json')) {
            failures -= 1;
            throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
          }
          return target.put(path, source);
        },
      };
    };
    const { log, lines } = listening();
    const tenant = await pastChain(site.world.admin, { days: { [daysAgo(2)]: 1 } });
    const one = site.process({ seal: { graceMinutes: 0 }, openArchive: failing, log });
    await one.start();
    await until(async () => lines.length > 0);
    await one.audit.ingest(one.as(tenant, 'alice'), sample(), 'snake');
    await until(async () => (await platformDays(site)) === 2);
    assert.deepEqual([failures, lines], [0, ['sealing stands still, and is tried again']]);
  });

  test('a tenant that is refused is an alarm once and a number', async () => {
    await using site = await createSealingWorld();
    const metrics = createMetrics();
    const { log, lines } = listening();
    const broken = await pastChain(site.world.admin, { days: { [daysAgo(2)]: 2 } });
    await tamper(site.world.admin, `delete from audit.event where tenant_id = '${broken}' and sequence = 2`);
    const one = site.process({ seal: { graceMinutes: 0 }, metrics, log });
    await one.start();
    await until(async () => lines.length > 0);
    assert.match(lines[0] ?? '', new RegExp(`^Tenant ${broken}: ${daysAgo(2)} is not sealed: sequence 2`));
    assert.equal(await behind(metrics, 'steward_audit_unsealable_tenants'), 1);
    assert.equal(await behind(metrics, 'steward_audit_unsealed_days'), 2);
  });

  test('work rests nineteen times as long as it took while the process appends, and stops at once', async () => {
    let busy = true;
    const stop = new AbortController();
    const turn = createPace(() => busy, stop.signal);
    const worked = 40;
    await sleep(worked);
    const began = performance.now();
    await Promise.all([turn(), turn()]);
    assert.ok(performance.now() - began >= worked * 18, 'pieces in flight rest together');
    busy = false;
    await turn();
    busy = true;
    await sleep(worked);
    const resting = turn();
    stop.abort(new Error('stopped'));
    await assert.rejects(resting);
    await assert.rejects(turn(), /stopped/);
  });
});
