export { emittedTypes } from './emitted.ts';
export { openMailbox, type Email, type Mailbox } from './mailbox.ts';
export { backdate, daysAgo } from './past.ts';
export { outputOf, type Ran } from './command.ts';
export { everyCommand, everyQuery, everyReadingTool, leastOf, type Called, type Command } from './commands.ts';
export { hireAgent, openShop, type Agent, type Shop } from './shop.ts';
export { sample, type Schema } from './sample.ts';
export { inTurns } from './turns.ts';
export { toolPaths } from './tool-paths.ts';
export { purchase, type Purchase } from './purchase.ts';
export { openStore, type Sold } from './store.ts';
export { signed } from './signed.ts';
export { createVisitor, type Visit, type Visitor } from './visitor.ts';
export { waysIn, type Way } from './ways.ts';
export { startServer, surroundings, type Running } from './process.ts';
export type { Serving } from './serving.ts';
export {
  createProcessWorld,
  createWorld,
  type Answer,
  type Bootstrap,
  type Json,
  type ProcessWorld,
  type World,
} from './world.ts';
export { nonsense } from './nonsense.ts';
