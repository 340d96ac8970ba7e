interface FieldError {
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
declare class StorefrontError extends Error {
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
declare function errorOf(answer: Response): Promise<StorefrontError>;
/** One choice of a field; a bare string is both. */
type FieldOption = string | {
    readonly value: string;
    readonly label: string;
};
interface FormField {
    readonly name: string;
    readonly label: string;
    /** A type that this version does not know is drawn as a line of text. */
    readonly type: string;
    readonly required: boolean;
    readonly placeholder?: string;
    readonly helpText?: string;
    readonly options?: readonly FieldOption[];
    readonly mapsTo?: string;
}
interface ValidationRule {
    readonly field: string;
    /** A rule that this version does not know is left to the server. */
    readonly rule: string;
    readonly value?: unknown;
    /** Shown instead of the catalogue's message. */
    readonly message?: string;
}
interface FormSchema {
    readonly formId: string;
    readonly siteId: string;
    readonly name: string;
    readonly activeVersion: number;
    readonly targetEntityType: string | null;
    readonly fields: readonly FormField[];
    readonly validationRules: readonly ValidationRule[];
}
interface Submission {
    readonly submissionId: string;
    readonly siteId: string;
    readonly formId: string;
    readonly formVersion: number;
    readonly data: Readonly<Record<string, unknown>>;
    readonly contactId?: string;
    /** RFC 3339, UTC. */
    readonly createdAt: string;
}
/** What the element says, in English, German, Spanish and Japanese; `{n}` is a number or a day. */
declare const texts: {
    readonly submit: readonly ['Send', 'Absenden', 'Enviar', '送信する'];
    readonly sending: readonly ['Sending…', 'Wird gesendet …', 'Enviando…', '送信中…'];
    readonly loading: readonly ['Loading…', 'Wird geladen …', 'Cargando…', '読み込み中…'];
    readonly success: readonly ['Thank you. Your form has been sent.', 'Vielen Dank. Ihr Formular wurde gesendet.', 'Gracias. Su formulario se ha enviado.', 'ありがとうございます。送信しました。'];
    readonly optional: readonly ['optional', 'optional', 'opcional', '任意'];
    /** Between a field and what is said of it. */
    readonly colon: readonly [': ', ': ', ': ', '：'];
    readonly choose: readonly ['Please choose an option', 'Bitte eine Option wählen', 'Elija una opción', '選択してください'];
    readonly summary: readonly ['Please check:', 'Bitte prüfen:', 'Revise lo siguiente:', '次の項目を確認してください。'];
    readonly required: readonly ['Please fill this in.', 'Bitte ausfüllen.', 'Rellene este campo.', '入力してください。'];
    readonly tick: readonly ['Please tick this box.', 'Bitte hier ein Häkchen setzen.', 'Marque esta casilla.', 'チェックを入れてください。'];
    readonly email: readonly ['Please enter an email address, like name@example.com.', 'Bitte eine E-Mail-Adresse wie name@example.com eingeben.', 'Introduzca un correo electrónico, como name@example.com.', 'name@example.com のようなメールアドレスを入力してください。'];
    readonly tel: readonly ['Please enter a phone number, like +44 20 7946 0000.', 'Bitte eine Telefonnummer wie +44 20 7946 0000 eingeben.', 'Introduzca un teléfono, como +44 20 7946 0000.', '+44 20 7946 0000 のような電話番号を入力してください。'];
    readonly url: readonly ['Please enter a web address, like https://example.com.', 'Bitte eine Webadresse wie https://example.com eingeben.', 'Introduzca una dirección web, como https://example.com.', 'https://example.com のような URL を入力してください。'];
    readonly number: readonly ['Please enter a number.', 'Bitte eine Zahl eingeben.', 'Introduzca un número.', '数値を入力してください。'];
    readonly date: readonly ['Please enter a date.', 'Bitte ein Datum eingeben.', 'Introduzca una fecha.', '日付を入力してください。'];
    readonly min: readonly ['At least {n}.', 'Mindestens {n}.', 'Como mínimo {n}.', '{n} 以上にしてください。'];
    readonly max: readonly ['At most {n}.', 'Höchstens {n}.', 'Como máximo {n}.', '{n} 以下にしてください。'];
    readonly minLength: readonly ['At least {n} characters.', 'Mindestens {n} Zeichen.', 'Como mínimo {n} caracteres.', '{n} 文字以上にしてください。'];
    readonly maxLength: readonly ['At most {n} characters.', 'Höchstens {n} Zeichen.', 'Como máximo {n} caracteres.', '{n} 文字以下にしてください。'];
    readonly pattern: readonly ['Please use the expected format.', 'Bitte das erwartete Format verwenden.', 'Utilice el formato esperado.', '指定の形式で入力してください。'];
    readonly network: readonly ['The server cannot be reached.', 'Der Server ist nicht erreichbar.', 'No se puede conectar con el servidor.', 'サーバーに接続できません。'];
    readonly unsure: readonly ['No answer from the server: your form may have been sent.', 'Keine Antwort vom Server: Ihr Formular wurde vielleicht gesendet.', 'Sin respuesta del servidor: puede que su formulario se haya enviado.', 'サーバーから応答がありません。送信済みかもしれません。'];
    readonly wait: readonly ['Too many requests. Please try again in {n} seconds.', 'Zu viele Anfragen. Bitte in {n} Sekunden erneut versuchen.', 'Demasiadas solicitudes. Inténtelo de nuevo en {n} segundos.', 'アクセスが集中しています。{n} 秒後にもう一度お試しください。'];
    readonly unavailable: readonly ['This form is not available.', 'Dieses Formular ist nicht verfügbar.', 'Este formulario no está disponible.', 'このフォームは利用できません。'];
    readonly failed: readonly ['Something went wrong.', 'Etwas ist schiefgegangen.', 'Algo ha fallado.', '問題が発生しました。'];
    readonly kept: readonly ['Your entries are still here.', 'Ihre Eingaben sind noch da.', 'Sus datos siguen aquí.', '入力内容は残っています。'];
    readonly retry: readonly ['Try again', 'Erneut versuchen', 'Reintentar', 'もう一度試す'];
};
type MessageKey = keyof typeof texts;
type Catalogue = Record<MessageKey, string>;
/** As it is shipped, a module has English alone, and each other language is a file beside it: `build.ts` puts that in place of this file. */
declare const shipped: Record<string, Catalogue> & {
    en: Catalogue;
};
/** SHA-256 in Base64 of files with languages. */
declare const digests: Readonly<Record<string, string>>;
/** `english`: for want of the place's own language. */
type Words = Catalogue & {
    readonly english: boolean;
};
/** By lower-case language tag. Add one, or change a text, before forms are drawn: `catalogues.fr = { ...catalogues.en, … }`. */
declare const catalogues: Record<string, Catalogue> & {
    en: Catalogue;
};
/** The catalogue of a language tag: exact, else its language's; undefined where nobody has written one. */
declare function catalogueOf(tag: string): Catalogue | undefined;
/** A server that renders knows the class, and draws nothing. */
declare const Base: typeof HTMLElement;
/** The properties that are attributes; nothing, as frameworks set what is no longer said, takes one away. */
declare class Properties extends Base {
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
/**
 * `<storefront-form form-id sdk-key base-url>`: a published form, drawn from its schema in one open shadow root, so that labels,
 * ids and autofill see one tree. Inside a `<form>` of the page it has no button of its own and is a control of that form: its
 * values are entries of the form's data, its faults the form's faults, and the page submits.
 */
declare class StorefrontFormElement extends Properties {
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
interface StorefrontOptions {
    /** The storefront API, such as `https://shop.example.com/commerce/storefront/v1`. */
    readonly baseUrl: string;
    /** A publishable key, `pk_live_…` or `pk_test_…`. */
    readonly sdkKey: string;
    /** Instead of the global one. */
    readonly fetch?: typeof globalThis.fetch;
}
interface CallOptions {
    readonly signal?: AbortSignal | undefined;
}
/**
 * Calls reject with a {@link StorefrontError}, or with the reason of the signal that ended them. Nothing is sent twice: whether a
 * submission arrived whose answer did not is for a person to find out.
 */
interface Storefront {
    /** The form as it is published now. Cached by the browser and revalidated by ETag. */
    schema(formId: string, options?: CallOptions): Promise<FormSchema>;
    /** Tells that a visitor began to fill the form in, to be called once for each page view: the shop sees how many of them sent it. */
    start(formId: string, options?: CallOptions): Promise<void>;
    /** @param data field name to value; fields that are not the form's are ignored by the server */
    submit(formId: string, data: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<Submission>;
}
declare function createStorefront({ baseUrl, sdkKey, fetch }: StorefrontOptions): Storefront;
export { createStorefront, type Storefront, type StorefrontOptions };
export { StorefrontError, type FieldError };
export type { FieldOption, FormField, FormSchema, Submission, ValidationRule };
export { catalogues, type Catalogue };
export { StorefrontFormElement };
declare global {
    interface HTMLElementTagNameMap {
        'storefront-form': StorefrontFormElement;
    }
    interface GlobalEventHandlersEventMap {
        'storefront-ready': CustomEvent<FormSchema>;
        'storefront-submit': CustomEvent<{
            readonly formId: string;
            readonly data: Record<string, unknown>;
        }>;
        'storefront-success': CustomEvent<Submission>;
        /** A `DOMException` called `TimeoutError` where no answer came in time. */
        'storefront-error': CustomEvent<StorefrontError | DOMException>;
    }
}
