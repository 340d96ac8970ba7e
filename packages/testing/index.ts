export { clusterVariable, createTestDatabase, templatesVariable, type TestDatabase } from './database.ts';
export { tablesWith } from './tables-with.ts';
