import { createStorefront } from '../client/client.ts';
import type { FormSchema } from '../client/schema.ts';

/** Where a form is had from. */
export interface Place {
  readonly baseUrl: string;
  readonly sdkKey: string;
  readonly formId: string;
}

export const nowhere: Place = { baseUrl: '', sdkKey: '', formId: '' };

/** Served as `{storefront}/sdk.js`, `shop.js` or `all.js`, the script knows where the storefront is. */
export const servedBy = /^(https?:.+)\/(?:sdk|shop|all)(?:\.[\w-]+)?\.js$/.exec(import.meta.url)?.[1] ?? '';

const loading = new Map<string, Promise<FormSchema>>();

/** One request, however many elements ask for the same form at once. */
export async function load(place: Place): Promise<FormSchema> {
  const key = JSON.stringify(place);
  const found =
    loading.get(key) ??
    createStorefront(place)
      .schema(place.formId, { signal: AbortSignal.timeout(30_000) })
      .finally(() => loading.delete(key));
  loading.set(key, found);
  return found;
}
