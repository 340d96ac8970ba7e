interface ProviderError {
  readonly statusCode?: number;
  readonly code?: string;
  /** Of a card, as its issuer refused it. */
  readonly decline_code?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What went wrong with a question to the provider. */
export type Fault =
  /** It refuses what was asked: the same again is refused again. */
  | { readonly kind: 'refused'; readonly code: string }
  /** Nobody knows whether it was done. */
  | { readonly kind: 'unknown'; readonly retryAfter?: number; readonly code: string };

/** A text as a code of ours. */
export const codeOf = (text: string | null | undefined, otherwise: string): string => {
  const code = (text ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]/g, '_')
    .slice(0, 60);
  return code === '' ? otherwise : code;
};

/**
 * What an error of the SDK says. A key that is not taken (401, 403), a conflict of keys (409), a limit (429) and whatever is the provider's own
 * fault say nothing of what was asked.
 */
export function faultOf(error: unknown): Fault {
  const { statusCode, code, decline_code: declined, headers } = error as ProviderError;
  if (statusCode === undefined) return { kind: 'unknown', code: 'no_answer' };
  if ([400, 402, 404].includes(statusCode) && code !== 'idempotency_key_in_use' && code !== 'lock_timeout')
    return { kind: 'refused', code: codeOf(declined ?? code, `status_${statusCode}`) };
  const seconds = Number(headers?.['retry-after']);
  return {
    kind: 'unknown',
    code: codeOf(code, `status_${statusCode}`),
    ...(seconds > 0 && seconds <= 3600 ? { retryAfter: seconds * 1000 } : {}),
  };
}
