import type { Payload } from '@steward/kernel';

type Properties = Readonly<Record<string, object>>;

/**
 * A payload by its JSON Schema, which says more of each member than a shape can and is served as it is written here. From it the
 * compiler knows what a member is.
 */
export function described<const P extends Properties, const O extends keyof P & string = never>(
  title: string,
  properties: P,
  { optional = [], open = false }: { readonly optional?: readonly O[]; readonly open?: boolean } = {},
): Payload<{ readonly [K in Exclude<keyof P, O>]: Value<P[K]> } & { readonly [K in O]?: Value<P[K]> }> {
  return {
    version: '1.0.0',
    schema: () => ({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title,
      type: 'object',
      properties,
      required: Object.keys(properties).filter((name) => !optional.some((one) => one === name)),
      ...(open ? {} : { additionalProperties: false }),
    }),
  };
}

/** As much of JSON Schema as our own events use; of anything else there is no value. */
type Value<S> = S extends { readonly enum: readonly (infer E)[] }
  ? E
  : S extends { readonly type: 'string' }
    ? string
    : S extends { readonly type: 'integer' }
      ? number
      : S extends { readonly type: 'array'; readonly items: infer I }
        ? readonly Value<I>[]
        : S extends { readonly type: 'object'; readonly additionalProperties: infer V }
          ? Readonly<Record<string, Value<V>>>
          : never;
