/** The language of a place in the page: its own `locale`, the nearest `lang` outside, else what the visitor's browser asks for. */
export declare function languageOf(element: HTMLElement): string;
