import type { FormField, ValidationRule } from '../client/schema.ts';
import type { Catalogue } from '../messages/catalogue.ts';
export type Value = string | number | boolean | readonly string[];
export interface Fault {
    /** Of a ValidityState: what kind of fault it is. */
    readonly flag: keyof ValidityStateFlags;
    readonly text: string;
}
/** As the server sees it: whitespace alone is blank, an empty list too; 0 and false are not. */
export declare const isBlank: (value: Value | undefined) => value is undefined;
/**
 * The first thing wrong with a value, in the order required, type, rules. A box that must be ticked is blank when it is not.
 * @param unreadable something was typed that the browser could not read as a number or a day
 */
export declare function faultOf({ type, required }: FormField, rules: readonly ValidationRule[], value: Value | undefined, unreadable: boolean, words: Catalogue): Fault | undefined;
