import type { Mode } from '../../words.ts';
import type { PaymentSettings } from '../settings.ts';
import type { PaymentHandler } from './handler.ts';
import { manual } from './manual.ts';
import { testing } from './testing.ts';

/** By name. A provider's handler is here only where it is configured. */
const handlers: ReadonlyMap<string, PaymentHandler> = new Map([manual, testing].map((one) => [one.name, one]));

/** @throws RangeError for a name that no payment has */
export function handlerNamed(name: string): PaymentHandler {
  const found = handlers.get(name);
  if (found === undefined) throw new RangeError(`there is no payment handler ${name}`);
  return found;
}

/** How a checkout may be paid. */
export interface PaymentChoice {
  readonly handler: string;
  readonly methods: readonly string[];
}

/** What a checkout offers, in the order in which it is shown. */
export function handlersFor(mode: Mode, { manualMethods }: Pick<PaymentSettings, 'manualMethods'>): PaymentChoice[] {
  const enabled = new Set<string>(manualMethods.map(({ method }) => method));
  return [...handlers.values()]
    .filter(({ modes }) => modes.includes(mode))
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
