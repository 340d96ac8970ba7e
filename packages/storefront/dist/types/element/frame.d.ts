import type { Catalogue } from '../messages/catalogue.ts';
/** How far the form is; none, as long as the page has not said which form. */
export type Stage = 'loading' | 'ready' | 'sending' | 'sent' | 'failed' | undefined;
/** What stands around the fields, built once. */
export declare class Frame {
    readonly list: HTMLDivElement;
    readonly faults: HTMLDivElement;
    readonly problem: HTMLDivElement;
    readonly button: HTMLButtonElement;
    /** Fields' names become properties of their form; whatever we touch is therefore this element inside it. */
    readonly inner: HTMLFieldSetElement;
    readonly live: HTMLDivElement;
    readonly again: HTMLButtonElement;
    readonly thanks: HTMLSlotElement;
    readonly done: HTMLDivElement;
    readonly fallback: HTMLSlotElement;
    readonly root: HTMLDivElement;
    constructor(shadow: ShadowRoot);
    /** Shows what belongs to a stage, and nothing else. */
    enter(stage: Stage, words: Catalogue, failure: unknown): void;
}
