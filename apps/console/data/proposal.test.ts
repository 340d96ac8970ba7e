import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  buildSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  parse,
  typeFromAST,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { proposalOf, proposalOfDocument } from './proposal.ts';

const root = join(import.meta.dirname, '../../..');
const reference = async (name: string): Promise<string> => readFile(join(root, 'docs/reference', name), 'utf8');

/** By its name, the arguments of each tool as it spells them, such as `lines[].quantity`, and whether they must be there. */
async function argumentsOfTools(): Promise<ReadonlyMap<string, ReadonlyMap<string, boolean>>> {
  const [, ...parts] = (await reference('tools.md')).split(/^## /m);
  return new Map(
    parts.map((part) => {
      const rows = part.matchAll(/^\| `([^`]+)` \| [^|]*\| (yes)?/gm);
      return [
        part.slice(0, part.indexOf('\n')),
        new Map([...rows].map(([, name = '', must]) => [name, must === 'yes'])),
      ];
    }),
  );
}

/** A value with every member that a type has. */
function wholeOf(type: GraphQLInputType): unknown {
  const held = getNullableType(type);
  if (isListType(held)) return [wholeOf(held.ofType as GraphQLInputType)];
  const named = getNamedType(held);
  if (isEnumType(named)) return named.getValues()[0]?.name;
  if (!isInputObjectType(named)) return 'x';
  return Object.fromEntries(Object.values(named.getFields()).map((field) => [field.name, wholeOf(field.type)]));
}

const pathsIn = (value: unknown, at = ''): string[] =>
  Array.isArray(value)
    ? value.flatMap((one) => pathsIn(one, `${at}[]`))
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, one]) => {
          const place = at === '' ? name : `${at}.${name}`;
          return [place, ...pathsIn(one, place)];
        })
      : [];

/** What of a draft is for one of its kinds alone: only bills have a number of the supplier. */
const drafts: ReadonlyMap<string, readonly string[]> = new Map([
  ['service_create_bill', []],
  ['service_create_invoice', ['supplier_number']],
]);

/** What `doing(…)` says of the fields of the graph, beside the documents. */
async function toolsOfFields(): Promise<ReadonlyMap<string, string>> {
  const folder = join(root, 'components/accounting');
  const files = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('graph.ts'));
  const texts = await Promise.all(files.map(async (path) => readFile(join(folder, path), 'utf8')));
  const said = /(\w+): t\.field\(\{\s*type(?:(?!t\.field)[^;])*?extensions: (?:\{[^}]*)?doing\('(service_\w+)'\)/g;
  return new Map(texts.flatMap((text) => [...text.matchAll(said)].map(([, field = '', tool = '']) => [field, tool])));
}

function variablesOf(schema: GraphQLSchema, { variableDefinitions = [] }: OperationDefinitionNode) {
  return Object.fromEntries(
    variableDefinitions.map(({ variable, type }) => {
      const known = typeFromAST(schema, type as never) as GraphQLInputType | undefined;
      assert.ok(known !== undefined, variable.name.value);
      return [variable.name.value, wholeOf(known)];
    }),
  );
}

test('what a document of the graph changes is proposed with the arguments of the tool that does the same', async () => {
  const schema = buildSchema(await reference('schema.graphql'));
  const tools = await argumentsOfTools();
  const fields = await toolsOfFields();
  const folder = join(import.meta.dirname, '../documents');
  const wrong: string[] = [];
  let changes = 0;
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.graphql'))) {
    const { definitions } = parse(await readFile(join(folder, file), 'utf8'));
    const [operation] = definitions as readonly OperationDefinitionNode[];
    if (operation?.operation !== 'mutation') continue;
    changes += 1;
    const [selected] = operation.selectionSet.selections;
    const field = selected?.kind === 'Field' ? selected.name.value : '';
    const document = file.replace('.graphql', '');
    for (const tool of field === 'createDocument' ? drafts.keys() : [fields.get(field) ?? '']) {
      const known = tools.get(tool);
      assert.ok(known !== undefined, `${document}: ${field} does ${tool}`);
      const proposal = proposalOfDocument(document, tool, variablesOf(schema, operation));
      const given = new Set(pathsIn(proposal?.asks));
      wrong.push(
        ...[...given]
          .filter((one) => !known.has(one) && drafts.get(tool)?.includes(one) !== true)
          .map((one) => `${document}: ${tool} takes no ${one}`),
        ...[...known].flatMap(([one, must]) =>
          must && !one.includes('.') && !given.has(one) ? [`${document}: ${tool} needs ${one}`] : [],
        ),
      );
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(changes > 18, String(changes));
});

test('of a route, the address is said by the refusal, names are spelled as of tools, and keys of people stay', () => {
  const refused = { tool: 'service_update_contact', arguments: { contact_id: 'c' } };
  const body = {
    expectedVersion: 2,
    lines: [{ lineId: 'l' }],
    custom: { shoeSize: '42' },
    idempotencyKey: 'k',
    left: undefined,
  };
  assert.deepEqual(proposalOf(refused, { body, query: { dryFood: 'x' } }), {
    tool: 'service_update_contact',
    asks: {
      dry_food: 'x',
      expected_version: 2,
      lines: [{ line_id: 'l' }],
      custom: { shoeSize: '42' },
      contact_id: 'c',
    },
  });
  assert.equal(proposalOf(refused, { body: { dryRun: true } }), undefined, 'a look');
  assert.deepEqual(proposalOf(refused, { body: { dryRun: false } })?.asks, { contact_id: 'c' });
  assert.equal(proposalOf(refused, { body: new Blob(['x']) }), undefined, 'a file');
  assert.equal(proposalOf({ tool: 'service_attach_file' }, {}), undefined, 'what is called otherwise');
  assert.equal(proposalOf({}, {}), undefined);
});

test('what a route takes is called of its tool as the route calls it, in snake case, and an allocation of the graph names a document', () => {
  const body = { lines: [{ itemId: 'a', unitPrice: { amount: '1' } }], dryRun: false, custom: { ownName: 'kept' } };
  assert.deepEqual(proposalOf({ tool: 'service_adjust_stock', arguments: { order_id: 'b' } }, { body }), {
    tool: 'service_adjust_stock',
    asks: { lines: [{ item_id: 'a', unit_price: { amount: '1' } }], custom: { ownName: 'kept' }, order_id: 'b' },
  });
  assert.equal(
    proposalOf({ tool: 'service_adjust_stock', arguments: {} }, { body: { ...body, dryRun: true } }),
    undefined,
  );
  const variables = { input: { allocations: [{ itemId: 'a' }] } };
  assert.deepEqual(proposalOfDocument('money-payment', 'service_record_payment', variables)?.asks, {
    allocations: [{ document_id: 'a' }],
  });
});
