export interface FieldError {
    /** JSON Pointer into the request's body, such as `/data/email`. */
    readonly pointer: string;
    /** The field the pointer names, where it names one. */
    readonly field: string | undefined;
    readonly code: string;
    readonly detail: string;
}
interface Particulars {
    readonly status: number;
    readonly code: string;
    readonly errors?: readonly FieldError[];
    readonly retryAfter?: number | undefined;
    readonly requestId?: string | undefined;
}
/** What a call to the storefront came to when it did not succeed. */
export declare class StorefrontError extends Error {
    readonly name = "StorefrontError";
    /** The answer's HTTP status; 0 when there was none. */
    readonly status: number;
    /** The problem's stable code; `outcome_unknown` when the server cannot tell whether a
     * submission was stored, `network_error` when no answer came, `invalid_answer` when it was not the storefront's. */
    readonly code: string;
    readonly errors: readonly FieldError[];
    /** Seconds to wait before the next try, where the server named them and the page may read it. */
    readonly retryAfter?: number;
    /** Names the request in the server's log. */
    readonly requestId?: string;
    constructor(message: string, particulars: Particulars, cause?: unknown);
}
/** Reads an answer that is no success; what stands before the storefront need not speak in problem documents. */
export declare function errorOf(answer: Response): Promise<StorefrontError>;
export {};
