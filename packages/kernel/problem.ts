import { fail, Problem } from './errors.ts';

/** The page that `type` URIs lead to, which has an anchor for each code; relative until the server knows its address. */
let errorPage = '/docs/errors';

/** Said once, at start: a process has one public address for its documents. */
export function explainErrorsAt(url: string): void {
  errorPage = url;
}

export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  requestId: string;
  errors?: readonly { pointer: string; code: string; detail: string }[];
  [member: string]: unknown;
}

/** RFC 9457 document of a problem. */
export function presentProblem(problem: Problem, requestId: string): ProblemDocument {
  return {
    ...problem.members,
    type: `${errorPage}#${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: problem.detail,
    code: problem.code,
    ...(problem.errors === undefined ? {} : { errors: problem.errors }),
    requestId,
  };
}

/** Any thrown value as a Problem; what is not one already says nothing but `internal_error`. */
export function problemOf(cause: unknown): Problem {
  if (cause instanceof Problem) return cause;
  return fail('internal_error', 'The server logged the failure with this request id. Trying again is safe.', { cause });
}
