import type { FormField, ValidationRule } from '../client/schema.ts';
import type { Catalogue } from '../messages/catalogue.ts';
import { type Fault, type Value } from './rules.ts';
/** A field of the form, drawn. */
export interface DrawnField {
    readonly name: string;
    readonly label: string;
    readonly root: HTMLElement;
    /** What takes the focus, and what the browser points at. */
    readonly anchor: HTMLElement;
    /** Where what is wrong with it stands. */
    readonly said: HTMLElement;
    /** What the catalogue says of its type. */
    readonly expected: string | undefined;
    /** Undefined where it is blank, so that it is left out. */
    read(): Value | undefined;
    write(value: unknown): void;
    check(): Fault | undefined;
    /** Shows what is wrong; an empty text takes it away. */
    show(text?: string): void;
}
/** @param index tells the ids of one form apart; a shadow root has a space of ids of its own */
export declare function drawField(field: FormField, index: number, rules: readonly ValidationRule[], words: Catalogue): DrawnField;
