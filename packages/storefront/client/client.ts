import { errorOf, StorefrontError } from './error.ts';
import type { FormSchema, Submission } from './schema.ts';

export interface StorefrontOptions {
  /** The storefront API, such as `https://shop.example.com/commerce/storefront/v1`. */
  readonly baseUrl: string;
  /** A publishable key, `pk_live_…` or `pk_test_…`. */
  readonly sdkKey: string;
  /** Instead of the global one. */
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls reject with a {@link StorefrontError}, or with the reason of the signal that ended them. Nothing is sent twice: whether a
 * submission arrived whose answer did not is for a person to find out.
 */
export interface Storefront {
  /** The form as it is published now. Cached by the browser and revalidated by ETag. */
  schema(formId: string, options?: CallOptions): Promise<FormSchema>;
  /** Tells that a visitor began to fill the form in, to be called once for each page view: the shop sees how many of them sent it. */
  start(formId: string, options?: CallOptions): Promise<void>;
  /** @param data field name to value; fields that are not the form's are ignored by the server */
  submit(formId: string, data: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<Submission>;
}

export function createStorefront({ baseUrl, sdkKey, fetch }: StorefrontOptions): Storefront {
  const base = baseUrl.replace(/\/+$/, '');

  async function call<T extends FormSchema | Submission | Record<string, never>>(
    form: string,
    verb: string,
    signal?: AbortSignal,
    body?: string,
  ): Promise<T> {
    // Called bare, as browsers demand of their own, and looked up late, so that a page may wrap it.
    const send = fetch ?? globalThis.fetch;
    let status = 0;
    try {
      const answer = await send(`${base}/forms/${encodeURIComponent(form)}/${verb}`, {
        method: verb === 'schema' ? 'GET' : 'POST',
        headers: { 'x-service-sdk-key': sdkKey, ...(body && { 'content-type': 'application/json' }) },
        credentials: 'omit',
        body,
        signal,
      } as RequestInit);
      status = answer.status;
      if (!answer.ok) throw await errorOf(answer);
      if (status === 204) return {} as T;
      const found = (await answer.json()) as T | null;
      // A captive portal answers 200 too.
      if (!found?.['formId']) throw new SyntaxError();
      return found;
    } catch (cause) {
      if (cause instanceof StorefrontError) throw cause;
      signal?.throwIfAborted();
      throw cause instanceof SyntaxError
        ? new StorefrontError('The answer is not from the storefront.', { status, code: 'invalid_answer' }, cause)
        : new StorefrontError('No answer from the storefront.', { status: 0, code: 'network_error' }, cause);
    }
  }

  return {
    schema: async (formId, { signal } = {}) => call<FormSchema>(formId, 'schema', signal),
    start: async (formId, { signal } = {}) => void (await call(formId, 'start', signal)),
    submit: async (formId, data, { signal } = {}) =>
      call<Submission>(formId, 'submit', signal, JSON.stringify({ data })),
  };
}
