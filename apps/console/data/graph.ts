import { addressOf, own, readingOf } from './api.ts';
import { Problem, type FieldFault } from './problem.ts';
import { proposalOfDocument } from './proposal.ts';

interface Answered<T> {
  readonly data?: T | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: {
      readonly code?: string;
      readonly status?: number;
      readonly errors?: readonly FieldFault[];
      readonly tool?: string;
      readonly [more: string]: unknown;
    };
  }[];
}

/**
 * Runs `documents/NAME.graphql`: the server knows no other document.
 * @param reads the document is a query, which may be asked for with others
 * @throws Problem of the first field that was refused
 */
export async function graph<T>(
  tenant: string,
  document: string,
  variables: Readonly<Record<string, unknown>> = {},
  { signal, reads = false }: { readonly signal?: AbortSignal; readonly reads?: boolean } = {},
): Promise<T> {
  const address = addressOf('accounting', '/graphql', { tenant });
  const body = { document, variables };
  const { data, errors = [] } = await own<Answered<T>>(address, {
    body,
    signal,
    read: reads ? readingOf(tenant, address, body) : undefined,
  });
  const [refused] = errors;
  if (refused !== undefined) {
    const { extensions: more = {} } = refused;
    const { code = 'internal_error', status = 400, errors: faults = [], tool } = more;
    const proposal = proposalOfDocument(document, tool, variables);
    throw new Problem(code, status, refused.message, refused.message, { errors: faults, proposal, more });
  }
  return data as T;
}
