import {
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isNonNullType,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
} from 'graphql';

/** A generator of operations for a schema, the same for the same seed: aliases, fragments, conditions, abstract types. */
export function randomOperation(schema: GraphQLSchema, seed: number, avoid: readonly string[]): string {
  let state = seed * 2_654_435_761 + 1;
  const random = (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const one = <T>(items: readonly T[]): T => items[random(items.length)] as T;
  const fragments: string[] = [];

  const condition = (): string =>
    random(6) > 0 ? '' : ` ${one(['@skip(if: $yes)', '@include(if: $yes)', '@include(if: $no)', '@skip(if: false)'])}`;

  const argumentsOf = (field: GraphQLField<unknown, unknown>): string => {
    if (field.name === 'books') return random(2) === 0 ? '(limit: $few)' : `(limit: ${random(4)}, after: "b2")`;
    if (field.name === 'book') return `(id: ${one(['"b3"', '"none"', '7'])})`;
    if (field.name === 'label') return one(['', '(prefix: null)', '(prefix: $word)']);
    return '';
  };

  const selection = (type: GraphQLCompositeType, depth: number): string => {
    const parts: string[] = [];
    for (let count = 1 + random(4); count > 0; count -= 1) parts.push(part(type, depth));
    return `{ ${parts.join(' ')} }`;
  };

  const part = (type: GraphQLCompositeType, depth: number): string => {
    const kind = random(10);
    if (kind === 0) return `__typename${condition()}`;
    if (kind <= 2 && depth > 0) {
      const narrowed = isAbstractType(type) ? one(schema.getPossibleTypes(type)) : type;
      if (kind === 1) return `... on ${narrowed.name}${condition()} ${selection(narrowed, depth - 1)}`;
      const name = `F${fragments.length}`;
      fragments.push('');
      fragments[Number(name.slice(1))] = `fragment ${name} on ${narrowed.name} ${selection(narrowed, depth - 1)}`;
      return `...${name}${condition()}`;
    }
    const fields = 'getFields' in type ? Object.values(type.getFields()) : [];
    const usable = fields.filter(
      ({ name, type: of }) => !avoid.includes(name) && (depth > 0 || !isCompositeType(getNamedType(of))),
    );
    if (usable.length === 0) return '__typename';
    const field = one(usable);
    const alias =
      random(3) === 0 ? `${one(['a', 'b', '__proto__', 'toString'])}${isNonNullType(field.type) ? '' : '_'}: ` : '';
    const of = getNamedType(getNullableType(field.type));
    return `${alias}${field.name}${argumentsOf(field)}${condition()}${isCompositeType(of) ? ` ${selection(of, depth - 1)}` : ''}`;
  };

  const root = schema.getQueryType();
  const body = root === null || root === undefined ? '{ __typename }' : selection(root, 4);
  const text = `${body}\n${fragments.join('\n')}`;
  const used = Object.entries(declarations).filter(([name]) => text.includes(`$${name}`));
  return `query${used.length === 0 ? '' : `(${used.map(([name, type]) => `$${name}: ${type}`).join(' ')})`} ${text}`;
}

const declarations = { yes: 'Boolean!', no: 'Boolean = false', few: 'Int', word: 'String' };
