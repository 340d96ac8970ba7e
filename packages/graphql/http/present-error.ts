import { logFailure, Problem, problemOf, type Log } from '@steward/kernel';
import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import type { Refusal } from '../operation/refusal.ts';

const mostCharacters = 400;
const mostLogged = 5;

/** A refused operation's errors, each with the code of the refusal. */
export function presentRefusal({ problem, faults }: Refusal, requestId: string): GraphQLFormattedError[] {
  if (faults.length === 0) return [{ message: problem.detail, extensions: extensionsOf(problem, requestId) }];
  return faults.map((fault) => ({
    message: shortened(fault.message),
    ...(fault.locations === undefined ? {} : { locations: fault.locations }),
    extensions: extensionsOf(problem, requestId),
  }));
}

/** What resolvers threw: Problems as they are; anything else as `internal_error`, with details only in the log. */
export function presentErrors(errors: readonly GraphQLError[], requestId: string, log: Log): GraphQLFormattedError[] {
  let logged = 0;
  return errors.map((error) => {
    const problem = problemBehind(error);
    if (problem !== undefined && problem.status >= 500) {
      logged += 1;
      if (logged <= mostLogged) {
        logFailure(log, problem, { requestId, path: error.path }, 'graphql field failed');
      }
    }
    return {
      message: problem?.detail ?? shortened(error.message),
      ...(error.locations === undefined ? {} : { locations: error.locations }),
      ...(error.path === undefined ? {} : { path: error.path }),
      extensions:
        problem === undefined ? { code: 'invalid_request', status: 400, requestId } : extensionsOf(problem, requestId),
    };
  });
}

/** Undefined for an error of GraphQL's own about the request (an argument that does not fit), which says no secret. */
function problemBehind({ originalError }: GraphQLError): Problem | undefined {
  return originalError === undefined ? undefined : problemOf(originalError);
}

const extensionsOf = (problem: Problem, requestId: string) => ({
  ...problem.members,
  code: problem.code,
  status: problem.status,
  ...(problem.errors === undefined ? {} : { errors: problem.errors }),
  requestId,
});

/** A message may contain the caller's own words, but not a megabyte of them. */
const shortened = (message: string): string =>
  message.length <= mostCharacters ? message : `${message.slice(0, mostCharacters).toWellFormed()}…`;
