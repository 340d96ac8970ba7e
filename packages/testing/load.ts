import hooks, { type AsyncHook } from 'node:async_hooks';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';

/**
 * Test files of one process, each a suite by its path.
 *
 * The runner follows every promise there is by a hook, to know of which suite a `describe` or `test` is: an `await` takes fifty
 * times as long, in the server that is tested too. That is known once all files are loaded, as no suite awaits anything, and the
 * hook goes. From there on an error that nobody awaits fails the process instead of the test that left it.
 * @param timeout of each file, in milliseconds
 */
export function load(files: readonly string[], timeout: number): void {
  const made: AsyncHook[] = [];
  const { createHook } = hooks;
  const module: { createHook: typeof createHook } = hooks;
  module.createHook = (callbacks) => {
    const hook = createHook(callbacks);
    made.push(hook);
    return hook;
  };
  // Only now: it keeps the function that it finds.
  const { describe } = process.getBuiltinModule('node:test');
  module.createHook = createHook;
  let left = files.length;
  for (const file of files)
    void describe(file, { timeout }, async () => {
      try {
        await import(pathToFileURL(resolve(file)).href);
      } finally {
        left -= 1;
        if (left === 0) stopFollowing(made);
      }
    });
}

function stopFollowing(hooks: readonly AsyncHook[]): void {
  for (const hook of hooks) hook.disable();
  // The runner says that there was one and fails; this says where.
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error: unknown) => {
      console.error(error);
    });
}
