import type { FormSchema } from '../client/schema.ts';
/** Where a form is had from. */
export interface Place {
    readonly baseUrl: string;
    readonly sdkKey: string;
    readonly formId: string;
}
export declare const nowhere: Place;
/** Served as `{storefront}/sdk.js`, the script knows where the storefront is. */
export declare const servedBy: string;
/** One request, however many elements ask for the same form at once. */
export declare function load(place: Place): Promise<FormSchema>;
