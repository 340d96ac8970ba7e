import type { Submission } from '../client/schema.ts';
import { type Catalogue } from '../messages/catalogue.ts';
import { Properties } from './properties.ts';
/**
 * `<storefront-form form-id sdk-key base-url>`: a published form, drawn from its schema in one open shadow root, so that labels,
 * ids and autofill see one tree. Inside a `<form>` of the page it has no button of its own and is a control of that form: its
 * values are entries of the form's data, its faults the form's faults, and the page submits.
 */
export declare class StorefrontFormElement extends Properties {
    #private;
    static readonly formAssociated = true;
    constructor();
    connectedCallback(): void;
    attributeChangedCallback(): void;
    formAssociatedCallback(): void;
    formDisabledCallback(disabled: boolean): void;
    formResetCallback(): void;
    formStateRestoreCallback(state: unknown): void;
    /** Texts of this form's own, over the catalogue's. */
    get messages(): Partial<Catalogue>;
    set messages(value: Partial<Catalogue> | undefined);
    /**
     * Field name to value; blank ones are left out. What is set fills fields in, now or once they are drawn; a value that was set
     * before does not do so again until {@link reset}, so that a framework that draws its page anew leaves what was typed.
     */
    get data(): Record<string, unknown>;
    set data(value: Readonly<Record<string, unknown>> | undefined);
    /** The page's form around it, if any. */
    get form(): HTMLFormElement | null;
    get validity(): ValidityState;
    get validationMessage(): string;
    checkValidity(): boolean;
    /** Shows what is wrong and moves the focus there; the page's form points at its first fault. */
    reportValidity(): boolean;
    focus(options?: FocusOptions): void;
    /** Empties the fields, and shows the form again after a success. */
    reset(): void;
    /**
     * Validates and sends, as the button does. A second call while one is under way does nothing: the server keeps no key by which
     * it could know a repetition. Resolves with what was stored, or undefined when nothing was.
     */
    submit(): Promise<Submission | undefined>;
}
