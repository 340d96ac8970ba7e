import { texts } from './texts.ts';
export type MessageKey = keyof typeof texts;
export type Catalogue = Record<MessageKey, string>;
/** By lower-case language tag. Add one, or change a text, before forms are drawn: `catalogues.fr = { ...catalogues.en, … }`. */
export declare const catalogues: Record<string, Catalogue> & {
    en: Catalogue;
};
/** The catalogue of a language tag: exact, else its language's, else English. */
export declare function catalogueOf(tag: string): Catalogue;
