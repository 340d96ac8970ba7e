export const kinds = [
  'text',
  'textarea',
  'email',
  'tel',
  'url',
  'number',
  'date',
  'checkbox',
  'radio',
  'select',
  'multiselect',
  'hidden',
] as const;
export type Kind = (typeof kinds)[number];

export const ruleNames = ['min_length', 'max_length', 'pattern', 'min', 'max', 'min_items', 'max_items'] as const;

/** Which rules a kind of field can have. */
export const rulesOf = (kind: Kind): readonly (typeof ruleNames)[number][] =>
  kind === 'number' || kind === 'date'
    ? ['min', 'max']
    : kind === 'multiselect'
      ? ['min_items', 'max_items']
      : kind === 'checkbox' || kind === 'radio' || kind === 'select'
        ? []
        : ['min_length', 'max_length', 'pattern'];

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly type: Kind;
  readonly required: boolean;
  readonly placeholder?: string;
  readonly helpText?: string;
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  readonly mapsTo?: string;
}

export interface Rule {
  readonly field: string;
  readonly rule: 'required' | (typeof ruleNames)[number];
  readonly value?: string | number;
  readonly message?: string;
}

export interface FormSummary {
  readonly id: string;
  readonly siteId: string;
  readonly name: string;
  readonly status: 'draft' | 'published' | 'unpublished' | 'archived';
  readonly activeVersion: number | null;
  readonly latestVersion: number;
  readonly revision: number;
  readonly hasUnpublishedChanges: boolean;
  readonly updatedAt: string;
}

export interface Drawn {
  readonly fields: readonly FormField[];
  readonly validationRules: readonly Rule[];
}

export interface FormWhole extends FormSummary, Drawn {
  readonly targetEntityType: string | null;
  readonly notificationEmails: readonly string[];
}

export interface Version {
  readonly version: number;
  readonly name: string;
  readonly publishedAt: string;
  readonly publishedBy: string;
}

export interface VersionWhole extends Version, Drawn {}

export interface Site {
  readonly id: string;
  readonly name: string;
  readonly origins: readonly string[];
  readonly status: 'active' | 'disabled';
}

export interface Submission {
  readonly submissionId: string;
  readonly formVersion: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly contactId?: string;
  readonly createdAt: string;
  readonly mode: 'live' | 'test';
  readonly erasedAt?: string;
  readonly possibleDuplicateOf?: string;
}

export interface Refusal {
  readonly refusalId: string;
  readonly status: number;
  readonly code: string;
  readonly errors: readonly { readonly pointer: string; readonly code: string }[];
  readonly times: number;
  readonly firstAt: string;
  readonly lastAt: string;
}

/** What was submitted, as text. */
export const answerText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? value.map(answerText).join(', ')
      : value === undefined || value === null
        ? ''
        : JSON.stringify(value);
