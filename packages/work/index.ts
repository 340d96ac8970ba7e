export { backoff, type Backoff } from './backoff.ts';
export { createLoop, type Loop, type Worker } from './loop.ts';
export { inFlight } from './in-flight.ts';
export { createRoom, type Room } from './room.ts';
export { createSemaphore, type Semaphore } from './semaphore.ts';
export { createTurns, type Turns } from './turns.ts';
export { createBatcher, type BatcherOptions, type Settled } from './batcher.ts';
export { createFlusher } from './flusher.ts';
