export { backoff, type Backoff } from './backoff.ts';
export { createLoop, type Loop, type Worker } from './loop.ts';
