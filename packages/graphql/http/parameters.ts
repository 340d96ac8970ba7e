import { fail, parseJson, Problem, type FieldError } from '@steward/kernel';

/** A well-formed GraphQL-over-HTTP request. */
export interface Parameters {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

type Given = Readonly<Record<string, unknown>>;

/** @param search of the address, where a POST has nothing @throws Problem `invalid_request` (400) */
export function bodyParameters(body: unknown, search: unknown): Parameters {
  if (Array.isArray(body)) {
    throw fail(
      'invalid_request',
      'Batches are not available: send one operation in a request, or several fields in one operation.',
    );
  }
  if (!isObject(body)) throw fail('invalid_request', 'Send a JSON object with `query`.');
  return parameters(body, '/', Object.keys(search as Given));
}

/** @throws Problem `invalid_request` (400) */
export function queryParameters(search: unknown): Parameters {
  const given = { ...(search as Given) };
  for (const name of ['variables', 'extensions']) {
    const text = given[name];
    if (typeof text !== 'string') continue;
    try {
      given[name] = text === '' ? null : parseJson(text);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      throw invalid([{ pointer: `?${name}`, code: 'invalid_json', detail: error.detail.replace('The body', 'It') }]);
    }
  }
  return parameters(given, '?');
}

function parameters(given: Given, prefix: '/' | '?', astray: readonly string[] = []): Parameters {
  const faults: FieldError[] = [];
  const fault = (name: string, code: string, detail: string, at = prefix): void => {
    if (faults.length < 20) faults.push({ pointer: `${at}${name.slice(0, 64)}`, code, detail });
  };
  const { query, operationName, variables, extensions, ...others } = given;
  if (query === undefined || query === null) fault('query', 'required', 'This field is required.');
  else if (typeof query !== 'string') fault('query', 'invalid_type', 'Give the GraphQL document as a string.');
  if (!absent(operationName) && typeof operationName !== 'string') fault('operationName', 'invalid_type', 'A string.');
  if (!absent(variables) && !isObject(variables)) fault('variables', 'invalid_type', 'Give a JSON object.');
  if (!absent(extensions) && !isObject(extensions)) fault('extensions', 'invalid_type', 'Give a JSON object.');
  for (const name of Object.keys(others)) fault(name, 'unknown_field', 'There is no such field.');
  for (const name of astray) fault(name, 'unknown_field', 'A POST has everything in its body.', '?');
  if (faults.length > 0) throw invalid(faults);
  return {
    query: query as string,
    operationName: typeof operationName === 'string' && operationName !== '' ? operationName : undefined,
    variables: isObject(variables) ? variables : {},
  };
}

const absent = (value: unknown): boolean => value === undefined || value === null;

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const invalid = (errors: readonly FieldError[]): Problem =>
  fail('invalid_request', `The request is not valid: ${errors[0]?.pointer ?? ''}: ${errors[0]?.detail ?? ''}`, {
    errors,
  });
