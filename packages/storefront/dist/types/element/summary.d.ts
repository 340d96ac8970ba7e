import type { DrawnField } from './field.ts';
/**
 * Leads to each field beside which something is said, and names what else is wrong; takes the focus.
 * @returns whether all is well, and it hides
 */
export declare function summarise(summary: HTMLElement, heading: string, fields: readonly DrawnField[], others?: readonly string[]): boolean;
