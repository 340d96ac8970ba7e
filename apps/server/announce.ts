import { ConfigError, createLog, type ComponentName } from '@steward/kernel';
import type { Server } from './server.ts';

type Line = readonly [string, string];

/** Says what is where, once the server answers: to people, or as one line of the log, which in production is all there is. */
export function announce(server: Server): void {
  const { log, addresses, internalUrl, database, milliseconds } = server;
  if (server.production) log.info({ addresses, internalUrl, database, milliseconds }, 'Steward is ready');
  else tell(server);
}

function tell({
  addresses,
  components,
  internalUrl,
  database,
  issuer,
  mail,
  configured,
  production,
  milliseconds,
}: Server): void {
  const where: readonly (readonly [ComponentName, ...Line[]])[] = [
    ['portal', ['Console', new URL('/', addresses.portal).href]],
    ['tools', ['What runs', new URL('/about', addresses.mcp).href], ['Tools (MCP)', addresses.mcp]],
    ['portal', ['Portal', addresses.portal], ['Approvals', `${addresses.portal}/approvals`]],
    ['accounting', ['Accounting', addresses.accounting], ['GraphQL', `${addresses.accounting}/graphql`]],
    ['studio', ['Studio', addresses.studio]],
    [
      'commerce',
      ['Commerce', addresses.commerce],
      ['Storefront', `${addresses.storefront}  (sdk.js)`],
      ...(production
        ? []
        : ([
            ['Try a form', `${addresses.commerce}/example`],
            ['Try a shop', `${addresses.commerce}/example/shop`],
          ] as const)),
    ],
  ];
  const served: Line[] = [
    ...where.flatMap(([name, ...lines]) => (components.includes(name) ? lines : [])),
    ['Identity', issuer],
    ['Internal', `${internalUrl}  (/internal/mcp, /metrics)`],
    [
      'Mail',
      mail === undefined
        ? 'off: letters wait for three days (SMTP_URL sends them, MAIL_FOLDER writes them into a folder)'
        : mail === 'server'
          ? 'on: approvers are told, notifications are sent'
          : `written into ${mail.folder}`,
    ],
    ['Database', database],
  ];
  const lines = served.map(([what, where]) => `  ${what.padEnd(12)} ${where}`);
  const next = configured
    ? []
    : [
        '',
        'A token to begin with:  npx steward token --user alice@example.com',
        'A business to look at:  npx steward seed',
        'The whole journey:      npm run demo',
      ];
  console.log([`Steward is ready (${milliseconds} ms).`, ...lines, ...next].join('\n'));
}

/** A start that failed, in one sentence where the cause is known; the exit code. */
export function complain(error: unknown, asLog = false): number {
  if (asLog) {
    const sentence = error instanceof ConfigError;
    createLog('fatal').fatal(sentence ? {} : { err: error }, sentence ? error.message : 'Steward ends');
    return 1;
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const known = error instanceof ConfigError || typeof code === 'string';
  console.error(known && error instanceof Error ? error.message : error);
  return 1;
}

/** What Node says by itself as lines of the log: warnings, and an error that nobody caught, which ends the process. */
export function tellAsLog(): void {
  const log = createLog('warn');
  process.removeAllListeners('warning').on('warning', (warning) => log.warn({ err: warning }, 'warning'));
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'Steward ends: nobody caught an error');
    process.exit(1);
  });
}
