import { badArguments } from '@steward/agentic';
import { isId } from '@steward/kernel';
import { z } from 'zod';
import { checkOf } from '@steward/contract';
import { names } from '../negotiation/versions.ts';
import { type Operation, operations } from '../operations.ts';
import type { Outcome } from '../shown/outcome.ts';
import type { Turn } from './message.ts';

/** One operation, and what it is given. */
export interface Step {
  readonly operation: Operation;
  readonly id: string;
  readonly given: unknown;
}

export type Run = (step: Step) => Promise<Outcome>;

const byName = new Map(operations.map((one) => [one.name, one]));
const named = (name: string): Operation => byName.get(name) as Operation;

const itemOf = z.looseObject({ product_id: z.string().min(1).max(255) });

/** What changes one item of a checkout and leaves the rest as it is: the binding names the first. */
const itemOperation = <T extends { product_id: string }>(
  name: string,
  summary: string,
  given: z.ZodType<T>,
  moreOf: (given: T) => number | null,
): Operation => ({
  name,
  summary,
  method: 'PUT',
  path: '/checkout-sessions/:id',
  capability: names.checkout,
  payload: null,
  given,
  key: 'rest',
  made: false,
  run: async ({ checkout }, visit, id, said) =>
    checkout.changeItem(visit, id, { item: (said as T).product_id, more: moreOf(said as T) }),
});

const quantity = z.int().min(1).max(999_999).default(1);
const add = itemOperation('add_to_checkout', 'More of an item', itemOf.extend({ quantity }), (said) => said.quantity);
const remove = itemOperation('remove_from_checkout', 'None of an item', itemOf, () => null);
const addition = checkOf(itemOf.extend({ quantity }));

export const actions: readonly string[] = [...operations, add, remove].map(({ name }) => name);

const over = new Set(['completed', 'canceled']);

/**
 * Does what the data of a turn says: an operation by its name, with the arguments of the tool, of the checkout of the context where no id is given.
 * @throws ProtocolError -32602 for no action that there is
 */
export async function act({ data = {}, contextId }: Turn, run: Run): Promise<Outcome & { readonly noun: string }> {
  const { action } = data;
  const ofItem = [add, remove].find(({ name: one }) => one === action);
  if (ofItem !== undefined) return { ...(await changeItem(ofItem, data, contextId, run)), noun: 'checkout' };
  const operation = typeof action === 'string' ? byName.get(action) : undefined;
  if (operation === undefined) throw badArguments(`There is no such action: give one of ${actions.join(', ')}.`);
  const { path, payload, name } = operation;
  const noun = nounOf(operation);
  const id = data['id'] ?? (noun === 'checkout' ? contextId : '');
  if (path.includes(':id') && (typeof id !== 'string' || id === '' || id.length > 255))
    throw badArguments('Give id: which one is meant.');
  const given = payload === null ? undefined : (data[payload] ?? {});
  const outcome = await run({
    operation,
    id: path.includes(':id') ? String(id) : '',
    given: name === 'complete_checkout' ? paying(given, data) : given,
  });
  return { ...outcome, noun };
}

const nounOf = ({ payload, path }: Operation): string =>
  payload ?? (path.startsWith('/checkout') ? 'checkout' : path.startsWith('/cart') ? 'cart' : 'order');

/** The binding has the payment apart, as one instrument or as what has them. */
function paying(given: unknown, data: Readonly<Record<string, unknown>>): unknown {
  const payment = data['a2a.ucp.checkout.payment'];
  if (payment === undefined) return given;
  const whole = typeof payment === 'object' && payment !== null && 'instruments' in payment;
  return { ...(given as object), payment: whole ? payment : { instruments: [payment] } };
}

/** In a context without an open checkout, what is added begins one. */
async function changeItem(
  operation: Operation,
  data: Readonly<Record<string, unknown>>,
  contextId: string,
  run: Run,
): Promise<Outcome> {
  const outcome = isId(contextId) ? await run({ operation, id: contextId, given: data }) : undefined;
  const { ucp, status } = (outcome?.body ?? {}) as { ucp?: { status?: string }; status?: string };
  if (outcome !== undefined && ucp?.status === 'success' && !over.has(status ?? '')) return outcome;
  if (operation === remove) throw badArguments('The context has no open checkout.');
  const read = addition(data);
  if (!read.success) throw badArguments('add_to_checkout takes product_id, and a quantity from 1 on.');
  const line_items = [{ item: { id: read.data.product_id }, quantity: read.data.quantity }];
  return run({ operation: named('create_checkout'), id: '', given: { line_items } });
}
