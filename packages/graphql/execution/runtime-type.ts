import { defaultTypeResolver, isObjectType, type GraphQLAbstractType, type GraphQLObjectType } from 'graphql';
import { infoOf, type FieldSite } from './info.ts';
import { isThenable, type Path, type Run } from './run.ts';

/** The object type behind an interface or union (GraphQL §6.4.3, ResolveAbstractType). */
export function runtimeType(
  run: Run,
  site: FieldSite,
  type: GraphQLAbstractType,
  value: unknown,
  path: Path,
): GraphQLObjectType | Promise<GraphQLObjectType> {
  const resolve = type.resolveType ?? defaultTypeResolver;
  const named = resolve(value, run.context, infoOf(run, site, path), type);
  return isThenable(named)
    ? Promise.resolve(named).then((settled) => possible(run, site, type, settled))
    : possible(run, site, type, named);
}

function possible(run: Run, site: FieldSite, type: GraphQLAbstractType, name: unknown): GraphQLObjectType {
  const actual = typeof name === 'string' ? run.schema.getType(name) : undefined;
  if (!isObjectType(actual) || !run.schema.isSubType(type, actual)) {
    throw new Error(
      `${site.parent.name}.${site.definition.name} holds ${String(name)}, which is no possible type of ${type.name}.`,
    );
  }
  return actual;
}
