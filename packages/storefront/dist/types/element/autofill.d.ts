import type { FormField } from '../client/schema.ts';
/** The value of `autocomplete` (WCAG 1.3.5), or undefined where nothing is known of what the field asks for. */
export declare function autofillToken({ mapsTo, name, type }: FormField): string | undefined;
