import SchemaBuilder from '@pothos/core';
import type { GraphContext } from '../context.ts';
import { bigInt } from './scalars/big-int.ts';
import { dateTime } from './scalars/date-time.ts';
import { json } from './scalars/json.ts';

interface GraphTypes {
  readonly Context: GraphContext;
  readonly DefaultFieldNullability: false;
  readonly Scalars: {
    readonly ID: { readonly Input: string; readonly Output: string };
    /** Output: RFC 3339, a Date, or milliseconds since the epoch. Input arrives as UTC with milliseconds and `Z`. */
    readonly DateTime: { readonly Input: string; readonly Output: string | number | Date };
    readonly JSON: { readonly Input: Readonly<Record<string, unknown>>; readonly Output: object };
    readonly BigInt: { readonly Input: bigint; readonly Output: bigint | number | string };
  };
}

export type GraphBuilder = ReturnType<typeof createBuilder>;

/** How a component contributes: it adds its types, `queryFields` and `mutationFields`. */
export type GraphModule = (builder: GraphBuilder) => void;

/** Pothos, typed with the context of a request to Steward. Fields are non-null unless they say `nullable: true`. */
export function createBuilder() {
  const builder = new SchemaBuilder<GraphTypes>({ defaultFieldNullability: false });
  builder.addScalarType('DateTime', dateTime);
  builder.addScalarType('JSON', json);
  builder.addScalarType('BigInt', bigInt);
  builder.queryType({});
  builder.mutationType({});
  return builder;
}
