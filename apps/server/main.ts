import { ConfigError, readConfig } from '@steward/kernel';
import { announce, complain } from './announce.ts';
import { startServer } from './server.ts';
import { stopSignals } from './signals.ts';

const stop = stopSignals();
try {
  await using server = await startServer(readConfig(process.env), stop.signal);
  announce(server);
  const died = await Promise.race([stop.received, server.databaseDied]);
  if (died !== undefined) throw new ConfigError(died);
} catch (error) {
  process.exitCode = stop.signal.aborted ? 0 : complain(error);
}
