import { fail, problemOf, type Log, type Reply, type Request } from '@steward/kernel';
import { OperationTypeNode, type GraphQLFormattedError } from 'graphql';
import type { GraphContext } from '../context.ts';
import { errors } from '../errors.ts';
import type { Executed } from '../execution/execute.ts';
import { isPromise } from '../execution/run.ts';
import type { Limits } from '../limits.ts';
import type { InTime } from '../operation/deadline.ts';
import type { Prepare } from '../operation/prepare.ts';
import { Refusal } from '../operation/refusal.ts';
import { acceptedType, type MediaType } from './media-type.ts';
import { bodyParameters, queryParameters, type Parameters } from './parameters.ts';
import { presentErrors, presentRefusal } from './present-error.ts';

export interface Answering {
  readonly prepare: Prepare;
  readonly limits: Limits;
  readonly inTime: InTime;
  readonly log: Log;
}

/** One GraphQL-over-HTTP request, its guard passed and its body read. */
export async function answer(
  answering: Answering,
  request: Request,
  reply: Reply,
  context: GraphContext,
): Promise<Reply> {
  const type = acceptedType(request.headers.accept);
  try {
    const get = request.method !== 'POST';
    const parameters = wellFormed(
      get ? () => queryParameters(request.query) : () => bodyParameters(request.body, request.query),
    );
    const { data, errors: failures } = await run(answering, parameters, get, context);
    const body =
      failures.length === 0 ? { data } : { errors: presentErrors(failures, request.id, answering.log), data };
    return send(reply, type, 200, body);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { problem } = error;
    reply.headers(problem.headers);
    return send(reply, type, statusOf(type, problem.code, problem.status), {
      errors: presentRefusal(error, request.id),
    });
  }
}

function wellFormed(read: () => Parameters): Parameters {
  try {
    return read();
  } catch (error) {
    throw new Refusal(problemOf(error));
  }
}

async function run(
  answering: Answering,
  parameters: Parameters,
  get: boolean,
  context: GraphContext,
): Promise<Executed> {
  const { limits } = answering;
  const operation = answering.prepare(parameters.query, parameters.operationName);
  const kind = operation.node.operation;
  if (kind === OperationTypeNode.SUBSCRIPTION) {
    throw new Refusal(errors('invalid_document', 'Subscriptions are not available: send a query or a mutation.'));
  }
  if (get && kind !== OperationTypeNode.QUERY) {
    throw new Refusal(fail('method_not_allowed', 'Send a mutation by POST.', { headers: { allow: 'POST' } }));
  }
  const coerced = operation.coerce(parameters.variables);
  if ('faults' in coerced) throw new Refusal(errors('invalid_variables'), coerced.faults);
  const cost = operation.cost(coerced.values);
  if (cost > limits.cost) {
    throw new Refusal(
      errors(
        'operation_too_large',
        `The answer could have ${cost} values, more than the ${limits.cost} allowed: ask for fewer items or fields.`,
      ),
    );
  }
  const executed = operation.execute(coerced.values, context);
  return isPromise(executed) ? answering.inTime(executed) : executed;
}

/** With plain JSON a well-formed request is answered 200, whatever becomes of it (GraphQL over HTTP §6.4.1). */
function statusOf(type: MediaType, code: string, status: number): number {
  if (type === 'application/graphql-response+json') return status;
  return code === 'invalid_request' || code === 'method_not_allowed' ? status : 200;
}

function send(
  reply: Reply,
  type: MediaType,
  status: number,
  body: { readonly data?: unknown; readonly errors?: readonly GraphQLFormattedError[] },
): Reply {
  return reply.code(status).header('content-type', `${type}; charset=utf-8`).send(JSON.stringify(body));
}
