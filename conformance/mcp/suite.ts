import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Verdict {
  readonly passed: boolean;
  /** What the suite printed. */
  readonly output: string;
}

const command = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));

const runSuite = async (args: readonly string[]): Promise<Verdict> =>
  new Promise((resolve) => {
    execFile(process.execPath, [command, 'server', ...args], { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ passed: error === null, output: `${stdout}${stderr}` }),
    );
  });

/**
 * What a revision requires of a server, frozen at its release, against the endpoint at `url`. Only the scenarios of the
 * baseline beside this file may fail, and all of those must.
 */
export const requirements = async (revision: '2025-11-25' | '2026-07-28', url: string): Promise<Verdict> =>
  runSuite([
    '--url',
    url,
    '--requirements',
    revision,
    '--expected-failures',
    fileURLToPath(new URL(`${revision}.yml`, import.meta.url)),
  ]);

/** One scenario that the requirements do not score. */
export const scenario = async (name: string, url: string): Promise<Verdict> =>
  runSuite(['--url', url, '--scenario', name]);
