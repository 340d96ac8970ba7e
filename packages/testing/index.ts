export { contentsOf } from './contents.ts';
export { clusterVariable, createTestDatabase, templatesVariable, type TestDatabase } from './database.ts';
export { startDns, type DnsServer } from './dns.ts';
export { startHttps } from './https.ts';
export { poolerVersion, startPooler, type Pooler } from './pooler.ts';
export { createDatabaseProxy, type DatabaseProxy } from './proxy.ts';
export { runBySpreadsheet, separators } from './spreadsheet.ts';
export { tablesWith } from './tables-with.ts';
