export { clusterVariable, createTestDatabase, type TestDatabase } from './database.ts';
export { tablesWith } from './tables-with.ts';
