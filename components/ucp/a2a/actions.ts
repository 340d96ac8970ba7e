import { badArguments } from '@steward/agentic';
import { isId } from '@steward/kernel';
import { z } from 'zod';
import { checkOf } from '@steward/contract';
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

/** What changes one item of a checkout and leaves the rest as it is: the binding names the first. */
const ofItems = ['add_to_checkout', 'remove_from_checkout'] as const;

export const actions: readonly string[] = [...operations.map(({ name }) => name), ...ofItems];

const readItem = checkOf(
  z.looseObject({ product_id: z.string().min(1).max(255), quantity: z.int().min(1).optional() }),
);

const shownLines = z.array(z.looseObject({ item: z.looseObject({ id: z.string() }), quantity: z.number() }));

const over = new Set(['completed', 'canceled']);

/**
 * Does what the data of a turn says: an operation by its name, with the arguments of the tool, of the checkout of the context where no id is given.
 * @throws ProtocolError -32602 for no action that there is
 */
export async function act({ data = {}, contextId }: Turn, run: Run): Promise<Outcome & { readonly noun: string }> {
  const { action } = data;
  if (action === ofItems[0] || action === ofItems[1])
    return { ...(await changeItem(action, data, contextId, run)), noun: 'checkout' };
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

async function changeItem(
  action: (typeof ofItems)[number],
  data: Readonly<Record<string, unknown>>,
  contextId: string,
  run: Run,
): Promise<Outcome> {
  const read = readItem(data);
  if (!read.success) throw badArguments(`${action} takes product_id, and a quantity from 1 on where it adds.`);
  const { product_id: id, quantity } = read.data;
  const shown = isId(contextId)
    ? await run({ operation: named('get_checkout'), id: contextId, given: undefined })
    : undefined;
  const lines = shownLines.safeParse(shown?.body['line_items']);
  const open = shown !== undefined && lines.success && !over.has(String(shown.body['status']));
  if (!open) {
    if (action === 'remove_from_checkout') throw badArguments('The context has no open checkout.');
    const line_items = [{ item: { id }, quantity: quantity ?? 1 }];
    return run({ operation: named('create_checkout'), id: '', given: { line_items } });
  }
  const kept = lines.data.map(({ item, quantity: pieces }) => ({ item: { id: item.id }, quantity: pieces }));
  const line = kept.find(({ item }) => item.id === id);
  if (action === 'add_to_checkout') {
    if (line === undefined) kept.push({ item: { id }, quantity: quantity ?? 1 });
    else line.quantity += quantity ?? 1;
  } else if (line === undefined) return shown;
  else kept.splice(kept.indexOf(line), 1);
  return run({ operation: named('update_checkout'), id: contextId, given: { ...shown.body, line_items: kept } });
}
