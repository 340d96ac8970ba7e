import { jsonPointer, type FieldError } from '@steward/kernel';

/** How a surface spells the fields: REST in snake_case, GraphQL in camelCase. Faults point at what the caller wrote. */
export type Spelling = 'snake' | 'camel';

export const spell = (field: string, spelling: Spelling): string =>
  spelling === 'camel' ? field : field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Collects what is wrong with one event; twenty faults are enough to mend it. */
export class Faults {
  readonly list: FieldError[] = [];

  add(pointer: string, code: string, detail: string): void {
    if (this.list.length < 20) this.list.push({ pointer, code, detail });
  }
}

/** One step of an RFC 6901 pointer, cut so that a hostile key does not fill the answer. */
export const step = (key: string): string => jsonPointer([key], 128);
