import type { FormSchema, Submission } from './schema.ts';
export interface StorefrontOptions {
    /** The storefront API, such as `https://shop.example.com/commerce/storefront/v1`. */
    readonly baseUrl: string;
    /** A publishable key, `pk_live_…` or `pk_test_…`. */
    readonly sdkKey: string;
    /** Instead of the global one. */
    readonly fetch?: typeof globalThis.fetch;
}
export interface CallOptions {
    readonly signal?: AbortSignal | undefined;
}
/**
 * Calls reject with a {@link StorefrontError}, or with the reason of the signal that ended them. Nothing is sent twice: whether a
 * submission arrived whose answer did not is for a person to find out.
 */
export interface Storefront {
    /** The form as it is published now. Cached by the browser and revalidated by ETag. */
    schema(formId: string, options?: CallOptions): Promise<FormSchema>;
    /** @param data field name to value; fields that are not the form's are ignored by the server */
    submit(formId: string, data: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<Submission>;
}
export declare function createStorefront({ baseUrl, sdkKey, fetch }: StorefrontOptions): Storefront;
