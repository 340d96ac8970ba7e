import type { Json, Serving } from '@steward/conformance/world';

/** An address at which providers call. */
export interface CallbackRoute {
  /** Such as `/portal/webhooks/card_payments`. */
  readonly path: string;
  readonly url: string;
  /** In capital letters. */
  readonly methods: readonly string[];
}

/** Every one that a server serves, as its own document says. */
export async function callbackRoutes({ addresses }: Pick<Serving, 'addresses'>): Promise<CallbackRoute[]> {
  const { origin } = new URL(addresses.portal);
  const answer = await fetch(`${origin}/docs/openapi.json`);
  const { paths } = (await answer.json()) as { readonly paths: Record<string, Json> };
  return Object.entries(paths)
    .filter(([path]) => /^\/[a-z]+\/webhooks\//.test(path))
    .map(([path, operations]) => ({
      path,
      url: `${origin}${path}`,
      methods: Object.keys(operations).map((method) => method.toUpperCase()),
    }));
}
