import { dictionary } from '@steward/kernel/dictionary';

/** How what one person alone may not do is left to approvers: the same, by a tool. */
export interface Proposal {
  readonly tool: string;
  /** Its arguments, spelled as the tool spells them. */
  readonly asks: Readonly<Record<string, unknown>>;
}

export interface Sent {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A route, whose refusal says what its address gives; undefined for a file, for a look at what would be, and where the tool takes something else. */
export function proposalOf({ tool, arguments: named }: Members, { body = {}, query = {} }: Sent): Proposal | undefined {
  if (typeof tool !== 'string' || !isObject(named) || !isObject(body) || body instanceof Blob) return undefined;
  const { dryRun, idempotencyKey: _key, ...own } = body;
  return dryRun === true ? undefined : { tool, asks: { ...spelled({ ...query, ...own }), ...named } };
}

/** What the tool calls the `id` of a document that names something by it. */
const ids = dictionary({
  'money-allocation-undo': 'allocation_id',
  'money-document-issue': 'document_id',
  'money-document-update': 'document_id',
  'money-document-void': 'document_id',
  'money-entry-reverse': 'entry_id',
  'money-party-update': 'party_id',
  'money-payment-void': 'payment_id',
});

/** A document of the graph (documents/NAME.graphql), whose refusal names the tool alone. */
export function proposalOfDocument(document: string, tool: unknown, variables: Members): Proposal | undefined {
  if (typeof tool !== 'string') return undefined;
  const { id, input, changes = input, idempotencyKey: _key, ...others } = variables;
  const { idempotencyKey: _own, ...written } = isObject(changes) ? changes : {};
  const asks = { ...others, ...written, ...(id === undefined ? {} : { [ids[document] ?? 'id']: id }) };
  return { tool, asks: spelled(asks, inGraph) };
}

/** What people name themselves stays as it is: the values of custom fields by their keys. */
const theirs = new Set(['custom']);

/** In the graph an allocation names an item, and of tools a document. */
const inGraph = dictionary({ itemId: 'document_id' });

const spelled = (members: Members, otherwise: Readonly<Record<string, string>> = {}): Members =>
  Object.fromEntries(
    Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [
        otherwise[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        theirs.has(name) ? value : below(value, otherwise),
      ]),
  );

const below = (value: unknown, otherwise: Readonly<Record<string, string>>): unknown =>
  Array.isArray(value)
    ? value.map((one) => below(one, otherwise))
    : isObject(value)
      ? spelled(value, otherwise)
      : value;
