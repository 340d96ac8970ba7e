import { type Log, logFailure, type Problem, problemOf } from '@steward/kernel';
import { errorMessage, type Message, ProtocolError, readMessage, RefusedMessage } from '@steward/tools';

export interface AgentReply {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What did its work. */
  readonly done?: string;
}

export interface Dispatched {
  readonly status: number;
  /** The whole answer, as JSON. */
  readonly body: string;
  readonly replayed?: boolean;
  readonly done?: string;
}

/**
 * Answers one message of JSON-RPC over HTTP, for its sender alone; undefined: it was a notification.
 * @param dispatch the work, or its error: Problem, ProtocolError  @param id of the message, as JSON
 */
export async function answerMessage(
  bytes: Uint8Array,
  { refused, log }: { refused(problem: Problem): ProtocolError; readonly log: Log },
  dispatch: (message: Message, id: string) => Promise<Dispatched>,
): Promise<AgentReply | undefined> {
  const plain = { 'cache-control': 'private, no-store' };
  let id = 'null';
  try {
    const message = readMessage(bytes);
    if (message.id === undefined) return undefined;
    ({ id } = message);
    const { status, body, replayed, done } = await dispatch(message, id);
    return {
      status,
      text: body,
      headers: { ...plain, ...(replayed === true ? { 'idempotent-replayed': 'true' } : {}) },
      ...(done === undefined ? {} : { done }),
    };
  } catch (error) {
    if (error instanceof RefusedMessage)
      return { status: error.status, text: errorMessage(error.id, error), headers: plain };
    if (error instanceof ProtocolError) return { status: error.status, text: errorMessage(id, error), headers: plain };
    const problem = problemOf(error);
    if (problem.status >= 500) logFailure(log, problem, {}, 'a call of an agent failed');
    const told = refused(problem);
    return { status: told.status, text: errorMessage(id, told), headers: { ...plain, ...problem.headers } };
  }
}
