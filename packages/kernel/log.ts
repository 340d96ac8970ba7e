import { pino, type DestinationStream, type Logger } from 'pino';
import { Problem } from './errors.ts';

export type Log = Logger;

/** Structured log, one JSON object a line, on stderr unless said otherwise. Headers and bodies are never logged; these paths are the last net. */
export function createLog(level: string, to: DestinationStream = pino.destination({ fd: 2, sync: true })): Log {
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
    to,
  );
}

/** Logs what was answered with a 5xx. That something is away is a state, known and passing: one line says so, without where in the program. */
export function logFailure(log: Log, problem: Problem, about: Readonly<Record<string, unknown>>, what: string): void {
  if (problem.status === 503) log.warn({ ...about, err: problem }, 'refused: something is away');
  else log.error({ ...about, err: problem.cause ?? problem }, what);
}

/** What an error says and where. Its other properties stay out: database errors carry their client, and that its password. */
function plainError(error: unknown, depth = 0, away = false): unknown {
  if (!(error instanceof Error)) return String(error);
  const brief = away || (error instanceof Problem && error.status === 503);
  const code = 'code' in error ? String(error.code) : undefined;
  const cause = error.cause === undefined || depth > 3 ? undefined : plainError(error.cause, depth + 1, brief);
  return { type: error.name, message: error.message, code, ...(brief ? {} : { stack: error.stack }), cause };
}
