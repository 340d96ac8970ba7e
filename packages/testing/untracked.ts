import { createHook } from 'node:async_hooks';

// Node's test runner follows every promise of a process, to know the suite that declares a test, and the test of an error that
// nobody caught. That takes a fifth of the processor time of tests. Once all of them are declared, such an error fails its process
// and not one test, and its stack is told here.

type Hook = { enable(): Hook; disable(): Hook };

const hooks = Object.getPrototypeOf(createHook({})) as Hook;
const { enable } = hooks;
let runner: Hook | undefined;
// Imported before the first suite: what is enabled first in a process is the runner's.
hooks.enable = function once(this: Hook) {
  hooks.enable = enable;
  runner = enable.call(this);
  return runner;
};

/** Called when every test of the process is declared. */
export function untrack(): void {
  runner?.disable();
  process.on('uncaughtExceptionMonitor', (error) => console.error(error));
  process.on('unhandledRejection', (error) => {
    throw error;
  });
}
