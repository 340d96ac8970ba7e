import type { Mode } from '../../words.ts';
import type { PaymentSettings } from '../settings.ts';
import { cardKind } from './card/kind.ts';
import type { HandlerKind, PaymentHandler } from './handler.ts';
import { manual } from './manual.ts';
import { marketplaceKind } from './marketplace.ts';
import { testing } from './testing.ts';

/** Every way of paying that a payment may name. */
const kinds: ReadonlyMap<string, HandlerKind> = new Map(
  [cardKind, manual, marketplaceKind, testing].map((one): [string, HandlerKind] => [one.name, one]),
);

/** @throws RangeError for a name that no payment has */
export function kindOf(name: string): HandlerKind {
  const found = kinds.get(name);
  if (found === undefined) throw new RangeError(`there is no payment handler ${name}`);
  return found;
}

/** The ways of paying of a process, by name. A provider's is among them only where it can be asked. */
export type Handlers = ReadonlyMap<string, PaymentHandler>;

export const handlersWith = (more: readonly PaymentHandler[]): Handlers =>
  new Map([...more, manual, testing].map((one) => [one.name, one]));

/** Those that need nobody else. */
export const ownHandlers = handlersWith([]);

/** How a checkout may be paid. */
export interface PaymentChoice {
  readonly handler: string;
  readonly methods: readonly string[];
}

/**
 * What a checkout offers, in the order in which it is shown.
 * @param card whether the tenant has, or is lent, an account that takes cards in this mode
 */
export function handlersFor(
  mode: Mode,
  { manualMethods }: Pick<PaymentSettings, 'manualMethods'>,
  card = false,
): PaymentChoice[] {
  const enabled = new Set<string>(manualMethods.map(({ method }) => method));
  return [...kinds.values()]
    .filter(({ name, modes }) => modes.includes(mode) && (name !== cardKind.name || card))
    .map(({ name, methods }) => ({
      handler: name,
      methods: name === manual.name ? methods.filter((method) => enabled.has(method)) : methods,
    }))
    .filter(({ methods }) => methods.length > 0);
}

/** What a buyer is told about a method, such as bank details. */
export const instructionsFor = (
  { manualMethods }: Pick<PaymentSettings, 'manualMethods'>,
  { handler, method }: { readonly handler: string; readonly method: string },
): string | null =>
  handler === manual.name ? (manualMethods.find((one) => one.method === method)?.instructions ?? null) : null;

/** Whether its buyer has to know where the business is paid. */
export const isPaidToBusiness = ({ handler, method }: { readonly handler: string; readonly method: string }): boolean =>
  handler === manual.name && method !== 'cash_on_delivery';
