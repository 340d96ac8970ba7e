import type { Consumer } from '@steward/bus';
import type { Route } from '@steward/contract';
import type { Identity } from '@steward/identity';
import type { Addresses } from '@steward/kernel';
import type { Catalogue, Tool } from '@steward/tools';
import type { BookPorts } from './ports.ts';
import { orderConsumer } from './postings/consumer.ts';
import { postingRoutes } from './postings/routes.ts';
import { postingTools } from './postings/tools.ts';
import { createWorker, type WorkerPorts } from './postings/worker.ts';
import { profileRoutes } from './profile/routes.ts';
import { profileTools } from './profile/tools.ts';

export const name = 'bookkeeping';
export { bookkeepingNouns as nouns } from './nouns.ts';
export const migrations = new URL('./migrations/', import.meta.url);
export { recorded } from './recorded.ts';
export { bookkeepingFail as errors } from './errors.ts';
export { grammar, published } from './events.ts';
export { drawPaper, mayBePaid, papersOf } from './papers/papers.ts';
export { beyondRefunds, settled } from './postings/counted.ts';
export const tools: readonly Tool<BookPorts>[] = [...profileTools, ...postingTools];

export interface BookkeepingNeeds extends WorkerPorts {
  readonly identity: Identity;
  readonly addresses: Pick<Addresses, 'commerce'>;
  readonly toolCatalogue: Pick<Catalogue, 'bind'>;
}

/** Its routes are served at commerce's address: `/api/posting-profile`, `/api/order-postings…`. */
export function create({ identity, addresses, toolCatalogue, ...ports }: BookkeepingNeeds): AsyncDisposable & {
  readonly consumers: readonly Consumer[];
  readonly serves: readonly [{ readonly at: 'commerce'; readonly routes: readonly Route[] }];
  start(): void;
} {
  toolCatalogue.bind(tools, ports);
  const guard = identity.tenant(addresses.commerce);
  const worker = createWorker(ports);
  return {
    consumers: [orderConsumer],
    serves: [{ at: 'commerce', routes: [...profileRoutes(guard), ...postingRoutes(guard, ports)] }],
    start: () => worker.start(),
    [Symbol.asyncDispose]: async () => worker.stop(),
  };
}
