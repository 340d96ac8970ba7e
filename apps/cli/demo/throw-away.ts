import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runningInstance, type Instance } from '../instance.ts';

export interface ThrowAway extends AsyncDisposable {
  readonly instance: Instance;
  readonly env: Record<string, string>;
}

/** A whole server on free ports, with a database of its own, gone when disposed. */
export async function startThrowAway(path: string | undefined): Promise<ThrowAway> {
  const dataDir = await mkdtemp(join(tmpdir(), 'steward-demo-'));
  const env = { PATH: path ?? '', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  const entry = fileURLToPath(new URL('../../server/main.ts', import.meta.url));
  // A group of its own: Ctrl-C reaches the demo, which then stops the server in order.
  const child = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
    await rm(dataDir, { recursive: true, force: true });
  };
  const interrupted = (): void => void stop().then(() => process.exit(130));
  process.once('SIGINT', interrupted);
  await Promise.race([
    said(child.stdout, 'Steward is ready'),
    exited.then(() => {
      throw new RangeError('The throw-away server did not start; its words are above.');
    }),
  ]);
  return {
    instance: await runningInstance(env),
    env,
    [Symbol.asyncDispose]: async () => {
      process.off('SIGINT', interrupted);
      await stop();
    },
  };
}

async function said(stream: AsyncIterable<unknown>, words: string): Promise<void> {
  let text = '';
  for await (const chunk of stream) {
    text += String(chunk);
    if (text.includes(words)) return;
  }
}
