import { pino, type Logger } from 'pino';

export type Log = Logger;

/** Structured log, one JSON object a line on stderr. Headers and bodies are never logged; these paths are the last net. */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: undefined,
      serializers: { err: plainError },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: ['*.authorization', '*.password', '*.token', '*.secret', 'authorization', 'password', 'token', 'secret'],
        censor: '[redacted]',
      },
    },
    pino.destination({ fd: 2, sync: true }),
  );
}

/** What an error says and where. Its other properties stay out: database errors carry their client, and that its password. */
function plainError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : undefined;
  const cause = error.cause === undefined || depth > 3 ? undefined : plainError(error.cause, depth + 1);
  return { type: error.name, message: error.message, code, stack: error.stack, cause };
}
