/** A program that starts the server on a data folder, reports the outcome in one line of JSON, and keeps running. */
import { EmbeddedError, startEmbedded } from './start.ts';

const [dataDir = ''] = process.argv.slice(2);
// what a drain does: the signal is noticed, and the server is stopped later
process.on('SIGINT', () => console.log(JSON.stringify({ interrupted: true })));
try {
  const { adminUrl, pid, location, created, recovered } = await startEmbedded({ dataDir });
  console.log(JSON.stringify({ adminUrl, pid, location, created, recovered }));
  setInterval(() => {}, 60_000);
} catch (cause) {
  if (!(cause instanceof EmbeddedError)) throw cause;
  console.log(JSON.stringify({ code: cause.code, message: cause.message, holder: cause.pid }));
}
