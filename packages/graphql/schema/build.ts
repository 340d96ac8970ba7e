import { GraphQLSchema, isObjectType, printSchema, assertValidSchema } from 'graphql';
import { createBuilder, type GraphModule } from './builder.ts';
import { admitFields, type AdmitField } from './admit.ts';

export interface BuiltSchema {
  readonly schema: GraphQLSchema;
  /** The schema definition, sorted: equal for equal modules, fit for a drift check. */
  readonly sdl: string;
}

/** @throws Error when the modules' parts do not make a valid schema */
export function buildSchema(modules: readonly GraphModule[], admit?: AdmitField): BuiltSchema {
  const builder = createBuilder();
  for (const contribute of modules) contribute(builder);
  const schema = withoutEmptyMutation(builder.toSchema());
  assertValidSchema(schema);
  readExposedDirectly(schema);
  if (admit !== undefined) admitFields(schema, admit);
  return { schema, sdl: `${printSchema(schema)}\n` };
}

function withoutEmptyMutation(schema: GraphQLSchema): GraphQLSchema {
  const mutation = schema.getMutationType();
  if (mutation === null || mutation === undefined || Object.keys(mutation.getFields()).length > 0) return schema;
  const { types, ...config } = schema.toConfig();
  return new GraphQLSchema({ ...config, mutation: null, types: types.filter((type) => type !== mutation) });
}

/** `t.expose…` sets a resolver that only reads the property of the same name; reading it needs no call. */
function readExposedDirectly(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (field.extensions['pothosExposedField'] === field.name) delete field.resolve;
    }
  }
}
