export { clusterVariable, createTestDatabase, type TestDatabase } from './database.ts';
