import assert from 'node:assert/strict';
import { chmod, cp, mkdtemp, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  claimPath,
  checkpointText,
  type DayManifest,
  manifestSha256,
  readManifest,
  signNote,
  dayPaths,
} from '@steward/archive/format';
import {
  exampleKeys,
  archiveVerdict,
  createSealingWorld,
  sealed,
  type SealingWorld,
  type SealingProcess,
} from '@steward/archive/testing';
import { pastChain } from '@steward/audit/testing';
import { logOptions, told } from '../fixtures/verdict.ts';
import type { Finding } from '../log/finding.ts';
import { verifyLog } from '../log/verify-log.ts';
import { asFinding } from '../log/merge.ts';

const d = (day: number): string => `2026-03-0${day}`;

/** What is done to a copy of the archive, and what is found there: by itself, and with the source at hand where that differs. */
interface Attack {
  readonly what: string;
  readonly change: (folder: string, site: Site) => Promise<void>;
  readonly alone: readonly string[];
  readonly withSource?: readonly string[];
}

interface Site {
  readonly alpha: string;
  readonly beta: string;
}

const rows = (folder: string, tenant: string, day: string): string => join(folder, dayPaths(tenant, day).rows);

/** Files are read-only, which keeps nobody from it who owns them. */
async function rewrite(path: string, change: (bytes: Buffer) => Buffer): Promise<void> {
  await chmod(path, 0o644);
  await writeFile(path, change(await readFile(path)));
}

async function removeDay(folder: string, owner: string, day: string): Promise<void> {
  for (const path of Object.values(dayPaths(owner, day))) await unlink(join(folder, path));
}

async function putInPlace(
  folder: string,
  from: readonly [string, string],
  to: readonly [string, string],
): Promise<void> {
  const [source, target] = [dayPaths(...from), dayPaths(...to)];
  for (const part of ['manifest', 'checkpoint'] as const) {
    await rewrite(join(folder, target[part]), (bytes) => bytes);
    await cp(join(folder, source[part]), join(folder, target[part]), { force: true });
  }
}

const attacks: readonly Attack[] = [
  { what: 'nothing, and lines with U+2028 stay whole', change: async () => undefined, alone: [] },
  {
    what: 'one byte of an event',
    change: async (folder, { alpha }) =>
      rewrite(rows(folder, alpha, d(2)), (bytes) => {
        bytes[bytes.indexOf('"order_id":"6"') + 12] = 0x39;
        return bytes;
      }),
    alone: [`alpha ${d(2)} chain 6-6`],
  },
  {
    what: 'CRLF',
    change: async (folder, { alpha }) =>
      rewrite(rows(folder, alpha, d(2)), (bytes) => Buffer.from(bytes.toString().replaceAll('\n', '\r\n'))),
    alone: [`alpha ${d(2)} form 4-7`],
  },
  {
    what: 'no last line feed',
    change: async (folder, { alpha }) => rewrite(rows(folder, alpha, d(2)), (bytes) => bytes.subarray(0, -1)),
    alone: [`alpha ${d(2)} form 7-7`],
  },
  {
    what: 'truncation',
    change: async (folder, { alpha }) => rewrite(rows(folder, alpha, d(2)), (bytes) => bytes.subarray(0, -300)),
    alone: [`alpha ${d(2)} tail 7-7`],
  },
  {
    what: "another tenant's manifest",
    change: async (folder, { alpha, beta }) => putInPlace(folder, [beta, d(2)], [alpha, d(2)]),
    alone: [`alpha ${d(2)} misplaced`, `alpha ${d(2)} manifest`],
  },
  {
    what: "another day's manifest",
    change: async (folder, { alpha }) => putInPlace(folder, [alpha, d(1)], [alpha, d(2)]),
    alone: [`alpha ${d(2)} misplaced`, `alpha ${d(2)} manifest`],
  },
  {
    what: 'a checkpoint signed by another key',
    change: async (folder, { alpha }) => {
      const paths = dayPaths(alpha, d(2));
      const bytes = await readFile(join(folder, paths.manifest));
      const { count, root } = readManifest(bytes) as DayManifest;
      const text = checkpointText({ owner: alpha, day: d(2), count, root, manifestSha256: manifestSha256(bytes) });
      await rewrite(join(folder, paths.checkpoint), () => Buffer.from(signNote(text, [exampleKeys[1]])));
    },
    alone: [`alpha ${d(2)} signature`],
  },
  {
    what: 'a day removed',
    change: async (folder, { alpha }) => removeDay(folder, alpha, d(2)),
    alone: [`alpha ${d(2)} missing`],
  },
  {
    what: 'an empty day removed',
    change: async (folder, { alpha }) => removeDay(folder, alpha, d(3)),
    alone: [`alpha ${d(3)} missing`],
  },
  {
    what: 'the last day removed for everybody',
    change: async (folder, { alpha, beta }) => {
      for (const owner of [alpha, beta, 'platform']) await removeDay(folder, owner, d(5));
    },
    alone: [],
    withSource: [`alpha ${d(5)} missing`, `beta ${d(5)} missing`, `platform ${d(5)} missing`],
  },
  {
    what: 'a claim under the number of another',
    change: async (folder) => cp(join(folder, claimPath(1)), join(folder, claimPath(2))),
    alone: ['platform misplaced'],
  },
  {
    what: 'a tenant removed, and the platform with it',
    change: async (folder, { beta }) => {
      await rename(join(folder, beta), join(folder, '.gone'));
      await rename(join(folder, 'platform/2026'), join(folder, '.gone-too'));
    },
    alone: ['platform missing'],
    withSource: [`beta ${d(1)}..${d(5)} missing`, 'platform missing', `platform ${d(1)}..${d(5)} missing`],
  },
];

describe('the archive, tampered with,', () => {
  let sealing: SealingWorld;
  let one: SealingProcess;
  let site: Site;
  before(async () => {
    sealing = await createSealingWorld();
    one = sealing.process();
    await one.start();
    const days = { [d(1)]: 3, [d(2)]: 4, [d(4)]: 3 };
    site = {
      alpha: await pastChain(sealing.world.admin, { days }),
      beta: await pastChain(sealing.world.admin, { days }),
    };
    await sealed(one.archive, d(5));
  });
  after(async () => sealing[Symbol.asyncDispose]());

  for (const { what, change, alone, withSource = alone } of attacks) {
    test(`by ${what}`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'steward-tampered-'));
      try {
        await cp(sealing.folder, folder, { recursive: true });
        await change(folder, site);
        const byItself = await archiveVerdict(folder, await one.archive.keys.registered());
        const verdict = await verifyLog({ ...logOptions(sealing, folder), canonical: true });
        assert.deepEqual(named(byItself.findings.map(asFinding), site), alone);
        assert.deepEqual(named(verdict.findings, site), withSource);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  }
});

describe('the archive of a day that ended less than a day ago', () => {
  const [eve = '', yesterday = ''] = [2, 1].map((ago) =>
    new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10),
  );
  let sealing: SealingWorld;
  let tenant = '';
  before(async () => {
    sealing = await createSealingWorld();
    const one = sealing.process();
    await one.start();
    tenant = await pastChain(sealing.world.admin, { days: { [eve]: 1, [yesterday]: 3 } });
    await sealed(one.archive, yesterday);
  });
  after(async () => sealing[Symbol.asyncDispose]());

  const gone = (folder: string, owner: string, ...parts: readonly (keyof ReturnType<typeof dayPaths>)[]) =>
    Promise.all(parts.map(async (part) => unlink(join(folder, dayPaths(owner, yesterday)[part]))));
  const cases: readonly (readonly [
    what: string,
    change: (folder: string) => Promise<unknown>,
    found: readonly string[],
  ])[] = [
    ['whole', async () => undefined, []],
    ["without the platform's rows", async (folder) => gone(folder, 'platform', 'rows'), ['platform missing']],
    [
      "without rows beside their checkpoint, and without one of the platform's files",
      async (folder) => Promise.all([gone(folder, tenant, 'rows'), gone(folder, 'platform', 'manifest')]),
      ['alpha missing 2-4', 'platform missing'],
    ],
    [
      'without checkpoints, and with other events',
      async (folder) => {
        await Promise.all([gone(folder, tenant, 'checkpoint'), gone(folder, 'platform', 'checkpoint')]);
        await rewrite(rows(folder, tenant, yesterday), (bytes) =>
          Buffer.from(bytes.toString().replaceAll('"order_id"', '"other_id"')),
        );
      },
      ['alpha chain 2-4', 'alpha missing', 'platform missing'],
    ],
    [
      'without any file',
      async (folder) => Promise.all([removeDay(folder, tenant, yesterday), removeDay(folder, 'platform', yesterday)]),
      ['alpha missing', 'platform missing'],
    ],
  ];
  for (const [what, change, found] of cases)
    test(`${what} ${found.length === 0 ? 'is verified' : 'is not'}, with the database at hand`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'steward-tampered-'));
      try {
        await cp(sealing.folder, folder, { recursive: true });
        await change(folder);
        const { findings } = await verifyLog(logOptions(sealing, folder));
        const told = named(findings, { alpha: tenant, beta: '' }).map((text) => text.replace(` ${yesterday}`, ''));
        assert.deepEqual([...new Set(told)].toSorted(), found);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
});

describe('an archive in which no day is sealed yet', () => {
  test('has the claims that were made, each in its place', async () => {
    await using sealing = await createSealingWorld();
    await pastChain(sealing.world.admin, { days: { [new Date().toISOString().slice(0, 10)]: 1 } });
    await sealing.process().archive.checkpoint();
    assert.deepEqual((await verifyLog(logOptions(sealing))).findings, []);
    const path = join(sealing.folder, claimPath(1));
    const claim = await readFile(path);
    await writeFile(join(sealing.folder, claimPath(2)), claim);
    const { findings } = await verifyLog(logOptions(sealing));
    assert.deepEqual(
      findings.map(({ kind, tenant }) => [kind, tenant]),
      [['misplaced', 'platform']],
    );
  });
});

/** Each finding as `tenant day..day kind first-last`, as far as they are told. */
function named(findings: readonly Finding[], site: Site): string[] {
  const names = new Map<string, string>(Object.entries(site).map(([name, tenant]) => [tenant, name]));
  return findings.flatMap((finding) =>
    told([finding], finding.tenant).map((text) => `${names.get(finding.tenant) ?? finding.tenant} ${text}`),
  );
}
