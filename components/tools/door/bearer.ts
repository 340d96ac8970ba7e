import { renderChallenge } from '@steward/identity';
import { Problem, problemOf } from '@steward/kernel';

/** What the endpoint's own metadata and challenges ask for; pillar scopes only narrow. */
export const publicScopes = ['mcp:read', 'mcp:write'] as const;
export const internalScopes = ['service:mcp:internal', 'mcp:internal'] as const;

/** A refusal of the caller with the challenge that says where clients get a token (RFC 6750, RFC 9728). */
export function challenged(
  cause: unknown,
  resourceMetadata: string,
  scopes: readonly string[],
  offered: boolean,
): Problem {
  const problem = problemOf(cause);
  const { code, status, title, detail } = problem;
  if (status !== 401 && status !== 403) return problem;
  const error = status === 403 ? 'insufficient_scope' : offered ? 'invalid_token' : undefined;
  const challenge = renderChallenge({
    resourceMetadata,
    scope: scopes.join(' '),
    ...(error === undefined ? {} : { error, description: detail }),
  });
  return new Problem(code, status, title, detail, {
    headers: { ...problem.headers, 'www-authenticate': challenge },
    cause,
  });
}
