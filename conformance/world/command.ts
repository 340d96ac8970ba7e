import { AsyncLocalStorage } from 'node:async_hooks';
import { format } from 'node:util';
import { run } from '@steward/cli';

/** How a command of `steward` ended. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface Said {
  out: string;
  err: string;
}

const hearing = new AsyncLocalStorage<Said>();
let listening = false;

/** Commands speak by the console, several at a time. */
function listen(): void {
  if (listening) return;
  listening = true;
  for (const [method, stream] of [
    ['log', 'out'],
    ['error', 'err'],
  ] as const) {
    const speak = console[method].bind(console);
    console[method] = (...words: unknown[]) => {
      const said = hearing.getStore();
      if (said === undefined) speak(...words);
      else said[stream] += `${format(...words)}\n`;
    };
  }
}

/** Runs a command with exactly these variables, and in this process: a process of its own costs more than what most commands do. */
export async function runCommand(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> {
  listen();
  const said: Said = { out: '', err: '' };
  const code = await hearing.run(said, async () => run(args, env));
  return { code, ...said };
}

/** What a command said that is to succeed. @throws Error with `code` and `stderr` where it did not */
export async function outputOf(command: Promise<Ran>): Promise<string> {
  const { code, out, err } = await command;
  if (code === 0) return out;
  throw Object.assign(new Error(`the command ended with ${code}: ${err}`), { code, stdout: out, stderr: err });
}
