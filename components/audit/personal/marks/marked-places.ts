import { jsonPointer } from '@steward/kernel';
import { anyItem, type Mark } from './personal-marks.ts';

/** One marked value of a payload. */
export interface Place {
  readonly steps: readonly string[];
  /** RFC 6901, into the payload. */
  readonly pointer: string;
  /** The opaque id of whom the value is about. */
  readonly subject: string;
}

/** The marked values that a payload has. It must have passed its schema: that is what makes subjects strings. */
export function* findPlaces(payload: unknown, marks: readonly Mark[]): Generator<Place> {
  for (const mark of marks) {
    for (const steps of reach(payload, mark.place, [])) {
      const subject = read(
        payload,
        mark.subject.map((step, index) => (step === anyItem ? (steps[index] ?? '') : step)),
      );
      if (typeof subject !== 'string') throw new Error(`the payload names no subject for ${jsonPointer(steps)}`);
      yield { steps, pointer: jsonPointer(steps), subject };
    }
  }
}

function* reach(value: unknown, [step, ...rest]: readonly string[], walked: readonly string[]): Generator<string[]> {
  if (value === undefined) return;
  if (step === undefined) yield [...walked];
  else if (step !== anyItem || !Array.isArray(value)) yield* reach(member(value, step), rest, [...walked, step]);
  else for (const [index, item] of value.entries()) yield* reach(item, rest, [...walked, String(index)]);
}

const read = (value: unknown, steps: readonly string[]): unknown => steps.reduce(member, value);

/** Own members only, so that no name reaches a prototype. */
const member = (value: unknown, step: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, step)
    ? (value as Readonly<Record<string, unknown>>)[step]
    : undefined;

/** The same payload with one value replaced; what is around it is copied, nothing is changed. */
export function replaced<T>(payload: T, steps: readonly string[], change: (value: unknown) => unknown): T {
  const [step, ...rest] = steps;
  if (step === undefined) return change(payload) as T;
  if (Array.isArray(payload)) return payload.with(Number(step), replaced(payload[Number(step)], rest, change)) as T;
  // A computed name makes an own member whatever it is, `__proto__` too.
  return { ...payload, [step]: replaced(member(payload, step), rest, change) };
}
