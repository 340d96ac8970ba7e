import { GraphQLSchema, isObjectType, assertValidSchema } from 'graphql';
import { createBuilder, type GraphModule } from './builder.ts';
import { admitFields, type AdmitField } from './admit.ts';
import { requireChecks } from './check.ts';

/** @throws Error when the modules' parts do not make a valid schema */
export function buildSchema(modules: readonly GraphModule[], admit?: AdmitField): GraphQLSchema {
  const builder = createBuilder();
  for (const contribute of modules) contribute(builder);
  const schema = withoutEmptyMutation(builder.toSchema());
  assertValidSchema(schema);
  readExposedDirectly(schema);
  requireChecks(schema);
  if (admit !== undefined) admitFields(schema, admit);
  return schema;
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
