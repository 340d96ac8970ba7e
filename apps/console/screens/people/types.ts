export interface Contact {
  readonly id: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly name: string | null;
  readonly otherEmails: readonly string[];
  readonly otherPhones: readonly string[];
  readonly custom: Readonly<Record<string, unknown>>;
  readonly marketingConsent: {
    readonly given: boolean;
    readonly at: string;
    readonly source: Readonly<Record<string, string>>;
  } | null;
  readonly archived: boolean;
  readonly test: boolean;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface ContactWhole extends Contact {
  readonly parties: readonly Party[];
  readonly suggestedParties: readonly Party[];
}

interface Party {
  readonly id: string;
  readonly name: string;
  readonly customer: boolean;
  readonly supplier: boolean;
}

export interface CustomField {
  readonly key: string;
  readonly label: string;
  readonly type: string;
  readonly options: readonly { readonly value: string; readonly label: string; readonly retired: boolean }[];
  readonly retired: boolean;
}

export interface ContactSchema {
  readonly fields: readonly CustomField[];
}

export interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly refs: Readonly<Record<string, unknown>>;
  readonly occurredAt: string;
  readonly discarded?: { readonly name?: string; readonly custom?: Readonly<Record<string, unknown>> };
}

/** A value of a custom field, as text. */
export const valueText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? value.map(valueText).join(', ')
      : value === null || value === undefined
        ? ''
        : JSON.stringify(value);
