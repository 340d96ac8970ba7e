/** A server that renders knows the class, and draws nothing. */
declare const Base: typeof HTMLElement;
/** The properties that are attributes; nothing, as frameworks set what is no longer said, takes one away. */
export declare class Properties extends Base {
    static readonly observedAttributes: string[];
    get formId(): string;
    set formId(value: string | null | undefined);
    get sdkKey(): string;
    set sdkKey(value: string | null | undefined);
    /** The storefront API; where the script was served by it, its address. */
    get baseUrl(): string;
    set baseUrl(value: string | null | undefined);
    /** A language tag. Without it: `lang` of the nearest element outside, else the visitor's. */
    get locale(): string;
    set locale(value: string | null | undefined);
    /** A framework may have set properties before the class was there; they hide its accessors. */
    protected takeUp(): void;
}
export {};
