import { z } from 'zod';
import type { PublishedEvent, RecordedEvent } from './event.ts';

/** The payload of one event: its schema, and by `T` its type for the compiler. */
export interface Payload<T> {
  /** Of the event's contract. A member that may be left out is a minor version, everything else a major one. */
  readonly version: string;
  /** JSON Schema 2020-12. */
  readonly schema: () => Readonly<Record<string, unknown>>;
  /** For the compiler alone: it is never there. */
  readonly like?: T;
}

type Shape = z.core.$ZodLooseShape;

/** A payload of these members and no others. */
export const payload = <S extends Shape>(
  shape: S,
  version = '1.0.0',
): Payload<Kept<z.input<z.ZodObject<S, z.core.$strict>>>> => ({
  version,
  schema: () => z.toJSONSchema(z.strictObject(shape)) as Record<string, unknown>,
});

/** A caller that records an event may pass lists that are readonly. */
type Kept<T> = T extends readonly (infer I)[]
  ? readonly Kept<I>[]
  : T extends object
    ? { readonly [K in keyof T]: Kept<T[K]> }
    : T;

export type Payloads = Readonly<Record<string, Payload<object>>>;

/** What the members of a declaration by this type are; of several types, what one of them may have. */
type PayloadOf<D extends Payloads, T extends keyof D> = T extends keyof D
  ? D[T] extends Payload<infer P>
    ? P
    : never
  : never;

/** Keeps out members that were never declared, also those of a value that was put together before. */
type Only<P, Known> = { readonly [K in Exclude<keyof P, Known extends unknown ? keyof Known : never>]: never };

/** Types by their whole names, which are the same here, in the log, in SQL and in the documents. */
interface Declarations<R extends Payloads, P extends Payloads> {
  /** What `tx.record` takes: the tenant's audit log records it, and only our own verbs may. */
  readonly recorded: R;
  /** What `tx.publish` takes: other components and systems follow it. */
  readonly published: P;
  /** Patterns of further types that nobody outside may record. */
  readonly reserved?: readonly string[];
}

/**
 * The events of one component, each declared once. From that follow the grammar which the log holds them to and serves, the
 * constructors, and docs/reference/events.md.
 * @param name of the grammar, and of the source
 */
export function defineEvents<R extends Payloads, P extends Payloads>(
  name: string,
  { recorded, published, reserved }: Declarations<R, P>,
) {
  return {
    grammar: {
      name,
      ...(reserved === undefined ? {} : { reserved }),
      events: Object.entries(recorded).map(([types, { version, schema }]) => ({
        types,
        major: Number.parseInt(version, 10),
        schema: schema(),
      })),
    },
    published,
    /** For `tx.record`. */
    event: <T extends keyof R & string, G extends PayloadOf<R, T>>(
      type: T,
      given: G & Only<G, PayloadOf<R, T>>,
      more?: Pick<RecordedEvent, 'id' | 'causalId' | 'correlationId' | 'dimensionalTags' | 'occurredAt'>,
    ): RecordedEvent =>
      ({
        ...more,
        type,
        eventVersion: recorded[type]?.version,
        grammar: name,
        source: name,
        payload: given,
      }) as object as RecordedEvent,
    /** For `tx.publish`. */
    announcement: <T extends keyof P & string, G extends PayloadOf<P, T>>(
      type: T,
      given: G & Only<G, PayloadOf<P, T>>,
      more?: Pick<PublishedEvent, 'id' | 'subject' | 'causationId' | 'correlationId'>,
    ): PublishedEvent => ({ ...more, type, source: name, data: given }) as object as PublishedEvent,
  };
}
