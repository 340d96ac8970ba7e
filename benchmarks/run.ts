import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '@steward/postgres';
import { clusterVariable } from '@steward/testing';
import { brief, type Bench, type Row } from './report.ts';

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('-') && !/^\d+$/.test(word));
const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith('.bench.ts')).toSorted();
console.log(
  `Ratios of medians of interleaved rounds; ${cpus().length} cores, Node ${process.versions.node}. Absolute figures are this machine's.\n`,
);
await using cluster = await durableCluster();
process.env[clusterVariable] = cluster.url;
let [missed, failed] = [0, 0];
for (const file of files) {
  if (wanted.length > 0 && !wanted.some((word) => file.includes(word))) continue;
  try {
    const { default: bench } = (await import(`./${file}`)) as { default: Bench };
    console.log(bench.name);
    for (const row of await bench.run()) {
      const met = brief ? undefined : meets(row);
      if (met === false) missed += 1;
      console.log(
        `  ${row.name.padEnd(64)} ${row.ratio.toFixed(2).padStart(8)}  ${promise(row).padEnd(14)} ${met === undefined ? '' : met ? 'met ' : 'MISSED'}  ${row.detail}`,
      );
    }
  } catch (cause) {
    failed += 1;
    console.error(`  ${file} FAILED:`, cause);
  }
}
if (failed > 0) console.log(`\n${failed} benches failed.`);
else if (brief) console.log('\nEvery bench runs; how fast, only a whole run says.');
else console.log(missed === 0 ? '\nEvery bar is met.' : `\n${missed} bars are missed.`);
process.exitCode = failed > 0 ? 1 : 0;

/** As operators have it, unlike the one of tests: on a disk, whose writes a commit waits for. */
async function durableCluster(): Promise<AsyncDisposable & { readonly url: string }> {
  const given = process.env[clusterVariable] ?? '';
  if (given !== '') return { url: given, [Symbol.asyncDispose]: async () => undefined };
  const dataDir = await mkdtemp(join(tmpdir(), 'steward-bench-'));
  const server = await startEmbedded({ dataDir });
  return {
    url: server.adminUrl,
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function meets({ ratio, bar }: Row): boolean | undefined {
  if (bar === undefined) return undefined;
  return 'atLeast' in bar ? ratio >= bar.atLeast : ratio <= bar.atMost;
}

function promise({ bar }: Row): string {
  if (bar === undefined) return '';
  return 'atLeast' in bar ? `at least ${bar.atLeast}` : `at most ${bar.atMost}`;
}
