/** One choice of a field; a bare string is both. */
export type FieldOption = string | {
    readonly value: string;
    readonly label: string;
};
export interface FormField {
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
export interface ValidationRule {
    readonly field: string;
    /** A rule that this version does not know is left to the server. */
    readonly rule: string;
    readonly value?: unknown;
    /** Shown instead of the catalogue's message. */
    readonly message?: string;
}
export interface FormSchema {
    readonly formId: string;
    readonly siteId: string;
    readonly name: string;
    readonly activeVersion: number;
    readonly targetEntityType: string | null;
    readonly fields: readonly FormField[];
    readonly validationRules: readonly ValidationRule[];
}
export interface Submission {
    readonly submissionId: string;
    readonly siteId: string;
    readonly formId: string;
    readonly formVersion: number;
    readonly data: Readonly<Record<string, unknown>>;
    readonly contactId?: string;
    /** RFC 3339, UTC. */
    readonly createdAt: string;
}
