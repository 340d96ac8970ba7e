import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** What a process says next. @throws Error if it ends instead */
export async function messageOf<T>(child: ChildProcess): Promise<T> {
  const done = new AbortController();
  const { signal } = done;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`${child.spawnargs.slice(1, 3).join(' ')} ended with ${code}`);
  });
  try {
    const [message] = await Promise.race([once(child, 'message', { signal }), ended]);
    return message as T;
  } finally {
    done.abort();
  }
}
