import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import type { Account } from './account.ts';
import { EmbeddedError } from './errors.ts';

/**
 * What PostgreSQL's programs need of our environment, and no more: the rest may hold secrets that the account must
 * not read, or PG* variables that would change what they do.
 */
const INHERITED = ['PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];

export interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
  readonly account: Account | undefined;
  readonly cwd: string;
}

/**
 * Starts a program in a process session of its own, so that neither Ctrl-C nor a signal to our group reaches it.
 *
 * @throws EmbeddedError `unsupported_platform` when the file does not run on this machine
 */
export async function run(
  { file, args, account, cwd }: Invocation,
  stdio: StdioOptions,
): Promise<ChildProcess & { readonly pid: number }> {
  const env: NodeJS.ProcessEnv = { LC_ALL: 'C', TZ: 'UTC' };
  for (const name of INHERITED) if (process.env[name] !== undefined) env[name] = process.env[name];
  const child = spawn(file, args, { cwd, env, stdio, detached: true, windowsHide: true, ...account });
  try {
    await once(child, 'spawn');
  } catch (cause) {
    throw new EmbeddedError(
      'unsupported_platform',
      `PostgreSQL's program ${file} does not run on this machine (${String(cause)}): set DATABASE_URL to a PostgreSQL server.`,
      { cause },
    );
  }
  const { pid } = child;
  if (pid === undefined) throw new EmbeddedError('start_failed', `${file} has no process id.`);
  return Object.assign(child, { pid });
}

export interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program to its end with the text as its input; abort kills it and all it started, then throws the reason. */
export async function finish(invocation: Invocation, input = '', signal?: AbortSignal): Promise<Outcome> {
  const child = await run(invocation, ['pipe', 'pipe', 'pipe']);
  let output = '';
  const collect = (chunk: string): void => {
    output = (output + chunk).slice(-8192);
  };
  child.stdout?.setEncoding('utf8').on('data', collect);
  child.stderr?.setEncoding('utf8').on('data', collect);
  // a program that ends early closes its input; its exit code says why
  child.stdin?.on('error', () => {}).end(input);
  const kill = (): void => {
    try {
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
    } catch {
      // ended meanwhile
    }
  };
  signal?.addEventListener('abort', kill);
  if (signal?.aborted) kill();
  try {
    const [code]: (number | null)[] = await once(child, 'close');
    signal?.throwIfAborted();
    return { code: code ?? null, output };
  } finally {
    signal?.removeEventListener('abort', kill);
  }
}

/** The reasons PostgreSQL's programs gave, in one line; the last words where none is marked as an error. */
export function reasons(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  const marked = lines.flatMap((line) => /(?:FATAL|PANIC|ERROR|HINT|error):\s+(.*)/.exec(line)?.[1] ?? []);
  const told = marked.length > 0 ? marked.slice(0, 3) : lines.filter((line) => line !== '').slice(-2);
  return told.join('; ') || 'it said nothing';
}
