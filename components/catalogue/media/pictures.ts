import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { fail } from '@steward/kernel';
import { createTurns } from '@steward/work';

/** Bytes of one picture at most, as it comes. */
export const mostBytes = 10_485_760;
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const;

export interface Size {
  /** Its width is at most this. */
  readonly fits: number;
  readonly mediaType: string;
  readonly content: Uint8Array;
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** The smallest first. */
  readonly sizes: readonly Size[];
}

const faults = {
  not_a_picture: 'The bytes are no JPEG, PNG, WebP, GIF or AVIF picture that can be read: save the picture again.',
  too_many_pixels: 'The picture has more than 50 million pixels: make it smaller.',
  too_slow: 'The picture takes too long to read: make it smaller.',
} as const;
export type PictureFault = keyof typeof faults;
export const explained = (fault: PictureFault): string => faults[fault];

export interface Pictures extends AsyncDisposable {
  /**
   * A picture in the sizes that it is served in, or what is wrong with the bytes.
   * @param of whose it is: who sends many that are slow to read keeps others waiting for one of them
   * @throws Problem `unavailable` (503) where no picture can be read now
   */
  read(bytes: Uint8Array, of: string): Promise<Picture | PictureFault>;
}

type Told = { readonly picture: Picture } | { readonly fault: PictureFault };

/** Reads pictures one after the other, each within 30 seconds, in a process that ends when it has had nothing to do for a while. */
export function createPictures({ most = 30_000, idle = 30_000 } = {}): Pictures {
  const turns = createTurns();
  let child: ChildProcess | undefined;
  let resting: NodeJS.Timeout | undefined;
  const end = (): void => {
    child?.kill('SIGKILL');
    child = undefined;
  };
  const started = (): ChildProcess => {
    clearTimeout(resting);
    if (child?.connected !== true)
      child = fork(fileURLToPath(new URL('./picture-process.js', import.meta.url)), [], {
        serialization: 'advanced',
        // Nothing of what the server knows.
        env: {},
        execArgv: [],
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
    return child;
  };
  const ask = async (bytes: Uint8Array): Promise<Picture | PictureFault> => {
    const asked = started();
    asked.ref();
    asked.channel?.ref();
    const over = new AbortController();
    const late = setTimeout(() => over.abort(), most);
    try {
      asked.send(bytes as Buffer, () => undefined);
      const [told] = (await Promise.race([
        once(asked, 'message', { signal: over.signal }),
        once(asked, 'exit', { signal: over.signal }).then(([code]) => {
          throw new Error(`the process that reads pictures ended with ${String(code)}`);
        }),
      ])) as [Told];
      return 'picture' in told ? told.picture : told.fault;
    } catch (cause) {
      end();
      if (late.hasRef() && over.signal.aborted) return 'too_slow';
      throw fail('unavailable', 'Pictures cannot be read at the moment. Try again later.', { cause });
    } finally {
      over.abort();
      clearTimeout(late);
      asked.unref();
      asked.channel?.unref();
      resting = setTimeout(end, idle).unref();
    }
  };
  return {
    read: async (bytes, of) => {
      const done = await turns.take(of, { deadline: performance.now() + 2 * most });
      if (done === undefined)
        throw fail('unavailable', 'Too many pictures are being read. Try again later.', {
          headers: { 'retry-after': '10' },
        });
      try {
        return await ask(bytes);
      } finally {
        done();
      }
    },
    [Symbol.asyncDispose]: async () => {
      clearTimeout(resting);
      end();
    },
  };
}
