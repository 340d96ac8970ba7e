import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

// The whole suite. Several test files share a process: starting Node and loading what most files of a workspace import takes
// longer than most files do. Arguments that are no options are the beginnings of the files to run, such as `components/crm`;
// options are handed on to `node --test`.

const atOnce = 3;
const filesOfProcess = 24;
/** Of these a few take as long as many others. */
const longFilesOfProcess = 16;
/** Of one file, in milliseconds: a loaded machine takes several times what a quiet one does. */
const timeout = 600_000;
/** Megabytes; what tests make is soon garbage, and collecting it seldom saves a fifteenth of the processor's time. */
const youngSpace = '--max-semi-space-size=64';
/** Who measures its own process has it alone: others' garbage would be collected in its time. */
const measures = /\bprocess\.(?:threadCpuUsage|cpuUsage|memoryUsage)\(/;
/** See load.ts. */
const awaits = /\bdescribe\([^\n]*, async \(\) =>/;

/** Those that take longest first, so that none is left alone at the end. */
const folders = [
  'conformance',
  'components/verification',
  'components/commerce',
  'components',
  'packages',
  'apps',
  '.',
];

const workspaceOf = (file: string): string => {
  const [folder = '', name = ''] = file.split('/');
  if (!file.includes('/')) return '.';
  return folder === 'conformance' ? folder : `${folder}/${name}`;
};
const rank = (workspace: string): number => folders.findIndex((folder) => workspace.startsWith(folder));

const [options, wanted] = [true, false].map((option) =>
  process.argv.slice(2).filter((argument) => argument.startsWith('-') === option),
) as [string[], string[]];
const all = await Array.fromAsync(
  glob(['*.test.ts', '{apps,components,packages,conformance}/**/!(*.services).test.ts'], {
    exclude: ['**/node_modules/**'],
  }),
);
const files = all.filter((file) => wanted.length === 0 || wanted.some((start) => file.startsWith(start)));
if (files.length === 0) throw new Error(`no test file begins with ${wanted.join(' or ')}`);
const alone = new Set<string>();
for (const file of files) {
  const text = await readFile(file, 'utf8');
  if (measures.test(text)) alone.add(file);
  if (awaits.test(text)) throw new Error(`${file}: a suite awaits nothing, or its tests come too late: use before()`);
}
const sharing = files.toSorted().filter((file) => !alone.has(file));
const workspaces = Object.entries(Object.groupBy(sharing, workspaceOf)).toSorted(([a], [b]) => rank(a) - rank(b));
// Small workspaces of a folder together: what they load is mostly the same.
const bins: { readonly rank: number; readonly own: string[] }[] = [];
for (const [workspace, own = []] of workspaces) {
  const last = bins.at(-1);
  if (last?.rank === rank(workspace) && last.own.length + own.length <= filesOfProcess) last.own.push(...own);
  else bins.push({ rank: rank(workspace), own: [...own] });
}
// Dealt out, because the longest files of a folder stand together.
const shared = bins.flatMap(({ rank: place, own }) => {
  const count = Math.ceil(own.length / (folders[place] === 'conformance' ? longFilesOfProcess : filesOfProcess));
  return Array.from({ length: count }, (_, at) => own.filter((_file, index) => index % count === at));
});
const groups = [...[...alone].map((file) => [file]), ...shared];

const loader = new URL('load.ts', import.meta.url).href;
const cache = resolve('node_modules/.cache');
await mkdir(cache, { recursive: true });
const folder = await mkdtemp(join(cache, 'tests-'));
let code: number | null = 1;
try {
  const entries = await Promise.all(
    groups.map(async (group, at) => {
      const entry = join(folder, `${String(at).padStart(3, '0')}.test.mjs`);
      const text = `import { load } from ${JSON.stringify(loader)};\nload(${JSON.stringify(group)}, ${timeout});\n`;
      await writeFile(entry, text);
      return entry;
    }),
  );
  const runner = spawn(
    process.execPath,
    [
      youngSpace,
      '--test',
      `--test-concurrency=${atOnce}`,
      `--test-timeout=${timeout * filesOfProcess}`,
      '--test-global-setup=packages/testing/setup.ts',
      ...options,
      ...entries,
    ],
    { stdio: 'inherit', env: { ...process.env, NODE_COMPILE_CACHE: join(cache, 'node') } },
  );
  [code] = (await once(runner, 'exit')) as [number | null];
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = code ?? 1;
