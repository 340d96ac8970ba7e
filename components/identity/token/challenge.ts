export interface Challenge {
  /** Absolute URL of the RFC 9728 metadata of the resource that was asked for. */
  readonly resourceMetadata: string;
  /** All scopes the request needs, separated by spaces; never `offline_access`. */
  readonly scope?: string;
  /** Absent when the request carried no token at all (RFC 6750 §3.1). */
  readonly error?: 'invalid_token' | 'insufficient_scope';
  readonly description?: string;
}

/** The value of `WWW-Authenticate` (RFC 6750 §3, RFC 9728 §5.1). */
export function renderChallenge({ resourceMetadata, scope, error, description }: Challenge): string {
  const parameters = [
    ['error', error],
    ['error_description', description],
    ['scope', scope],
    ['resource_metadata', resourceMetadata],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${quotable(value)}"`]));
  return `Bearer ${parameters.join(', ')}`;
}

/** RFC 6750 §3: printable ASCII without `"` and `\`. */
const quotable = (value: string): string => value.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, "'");
