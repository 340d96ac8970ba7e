export { backdate, daysAgo } from './past.ts';
export { createWorld, startServer, type Answer, type Bootstrap, type Json, type Running, type World } from './world.ts';
