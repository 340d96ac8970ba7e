import { type FieldError } from '../client/error.ts';
import type { Catalogue } from '../messages/catalogue.ts';
import type { DrawnField } from './field.ts';
/** What a visitor is told of a call that did not succeed. @param silence said where nobody knows whether it was done */
export declare function textOf(error: unknown, words: Catalogue, silence?: string): string;
/** What the server says of a field, in the visitor's language where it can. */
export declare function textOfFault({ code, detail }: FieldError, field: DrawnField | undefined, words: Catalogue): string;
