export { createWorld, startServer, type Answer, type Bootstrap, type Json, type Running, type World } from './world.ts';
