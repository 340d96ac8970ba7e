import { flushCompileCache } from 'node:module';
import { ConfigError } from '@steward/kernel';
import { announce, complain, tellAsLog } from './announce.ts';
import { readConfig } from './components.ts';
import { startServer } from './server.ts';
import { stopSignals } from './signals.ts';

// Read before the configuration, whose own errors already depend on it.
const production = process.env['NODE_ENV'] === 'production';
const stop = stopSignals();
if (production) tellAsLog();
try {
  await using server = await startServer(readConfig(process.env), stop.signal);
  // Node keeps what it compiled when a process ends by itself. One that is killed would leave the next start to compile it again.
  flushCompileCache();
  announce(server);
  const died = await Promise.race([stop.received, server.databaseDied]);
  if (died !== undefined) throw new ConfigError(died);
  await Promise.race([server.leave(), server.databaseDied]);
} catch (error) {
  process.exitCode = stop.signal.aborted ? 0 : complain(error, production);
}
