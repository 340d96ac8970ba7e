import { GraphQLError, Kind, parse, validate, visit, type DocumentNode, type GraphQLSchema } from 'graphql';
import { errors } from '../errors.ts';
import type { Fragments } from '../execution/run.ts';
import type { Limits } from '../limits.ts';
import { DocumentCache } from './document-cache.ts';
import { measure } from './measure.ts';
import { Operation } from './operation.ts';
import { Refusal } from './refusal.ts';

/** Bytes that a token's part of the tree and of its plans takes; measured: 430 (long selections) to 930 (short ones). */
const bytesPerToken = 1_000;
const mostDocuments = 1_000;
const mostBytes = 32 * 1_048_576;

/** The operation of `query` named `name` (or its only one). @throws Refusal */
export type Prepare = (query: string, name: string | undefined) => Operation;

/** Parses, validates and measures each document once; the outcome is kept by its text, within bounds. */
export function createPrepare(schema: GraphQLSchema, limits: Limits): Prepare {
  const known = new DocumentCache<readonly Operation[]>(mostDocuments, mostBytes);
  return (query, name) => {
    let operations = known.get(query);
    if (operations === undefined) {
      const document = read(query, limits);
      operations = prepareAll(schema, document, limits);
      known.set(query, operations, query.length * 2 + (document.tokenCount ?? 0) * bytesPerToken);
    }
    return pick(operations, name);
  };
}

function read(query: string, limits: Limits): DocumentNode {
  let document: DocumentNode;
  try {
    document = parse(query, { maxTokens: limits.tokens, allowEmptySelectionSets: false });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    // Only the parser's message distinguishes this case.
    if (error.message.includes('tokens. Parsing aborted')) throw new Refusal(tooLong(limits));
    throw new Refusal(errors('invalid_document'), [error]);
  }
  let aliases = 0;
  visit(document, {
    Field: (node) => {
      if (node.alias !== undefined) aliases += 1;
    },
  });
  within('aliases', aliases, limits.aliases);
  return document;
}

const tooLong = (limits: Limits) =>
  errors('operation_too_large', `The document has more than ${limits.tokens} tokens: send it in parts.`);

function prepareAll(schema: GraphQLSchema, document: DocumentNode, limits: Limits): Operation[] {
  const faults = validate(schema, document, undefined, { maxErrors: 10, allowEmptySelectionSets: false });
  if (faults.length > 0) throw new Refusal(errors('invalid_document'), faults);
  const fragments: Record<string, Fragments[string]> = Object.create(null) as Record<string, Fragments[string]>;
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  }
  return document.definitions.flatMap((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
    const root = schema.getRootType(definition.operation);
    if (root === undefined || root === null) {
      throw new Refusal(errors('invalid_document', `This schema has no ${definition.operation}.`));
    }
    const found = measure(schema, fragments, root, definition.selectionSet);
    within('levels', found.depth, limits.depth);
    within('fields at its root', found.rootFields, limits.rootFields);
    return [new Operation(schema, fragments, root, definition, found)];
  });
}

function within(what: string, count: number, most: number): void {
  if (count <= most) return;
  throw new Refusal(errors('operation_too_large', `The operation has ${count} ${what}; at most ${most} are allowed.`));
}

function pick(operations: readonly Operation[], name: string | undefined): Operation {
  const found =
    name === undefined
      ? operations.length === 1
        ? operations[0]
        : undefined
      : operations.find(({ node }) => node.name?.value === name);
  if (found !== undefined) return found;
  throw new Refusal(
    errors(
      'unknown_operation',
      name === undefined
        ? 'The document has several operations or none: name one in operationName.'
        : `The document has no operation named ${JSON.stringify(name.slice(0, 64))}: check operationName.`,
    ),
  );
}
