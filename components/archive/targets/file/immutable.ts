import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Files one run of chattr is given: an argument list has its limit. */
const most = 256;

/** Sets and clears the immutable bit with chattr(1); both answer whether it worked, and never throw. */
export interface ImmutableBit {
  set(file: string): Promise<boolean>;
  clear(file: string): Promise<boolean>;
}

/** Files that wait while chattr runs share its next run. */
export function createImmutableBit(): ImmutableBit {
  let waiting: { file: string; done: (worked: boolean) => void }[] = [];
  let running = false;
  const turn = async (): Promise<void> => {
    running = true;
    while (waiting.length > 0) {
      const taken = waiting.slice(0, most);
      waiting = waiting.slice(most);
      const worked = await chattr(
        '+i',
        taken.map(({ file }) => file),
      );
      for (const { done } of taken) done(worked);
    }
    running = false;
  };
  return {
    set: (file) =>
      new Promise((done) => {
        waiting.push({ file, done });
        if (!running) void turn();
      }),
    clear: (file) => chattr('-i', [file]),
  };
}

async function chattr(flag: '+i' | '-i', files: readonly string[]): Promise<boolean> {
  try {
    await run('chattr', [flag, '--', ...files]);
    return true;
  } catch {
    return false;
  }
}
