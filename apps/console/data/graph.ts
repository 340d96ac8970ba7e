import { own } from './api.ts';
import { Problem, type FieldFault } from './problem.ts';

interface Answered<T> {
  readonly data?: T | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: {
      readonly code?: string;
      readonly status?: number;
      readonly errors?: readonly FieldFault[];
    };
  }[];
}

/**
 * Runs `documents/NAME.graphql`: the server knows no other document.
 * @throws Problem of the first field that was refused
 */
export async function graph<T>(
  tenant: string,
  document: string,
  variables: Readonly<Record<string, unknown>> = {},
  signal?: AbortSignal,
): Promise<T> {
  const { data, errors = [] } = await own<Answered<T>>(`/console/api/o/${tenant}/accounting/graphql`, {
    body: { document, variables },
    signal,
  });
  const [refused] = errors;
  if (refused !== undefined) {
    const { code = 'internal_error', status = 400, errors: faults = [] } = refused.extensions ?? {};
    throw new Problem(code, status, refused.message, refused.message, { errors: faults });
  }
  return data as T;
}
