import type { FormDefinition, FormField, ValidationRule } from './definition.ts';

/** The schema document of the storefront (contracts §7), in the order of its members there. */
export interface SchemaDocument {
  readonly formId: string;
  readonly siteId: string;
  readonly name: string;
  readonly activeVersion: number;
  readonly targetEntityType: string | null;
  readonly fields: readonly FormField[];
  readonly validationRules: readonly ValidationRule[];
}

export const mostDocumentBytes = 64 * 1024;

/** The bytes that are served for a version, made once when it is published. */
export const documentText = (
  form: { id: string; siteId: string; name: string },
  version: number,
  { targetEntityType, fields, validationRules }: FormDefinition,
): string =>
  JSON.stringify({
    formId: form.id,
    siteId: form.siteId,
    name: form.name,
    activeVersion: version,
    targetEntityType,
    fields,
    validationRules,
  } satisfies SchemaDocument);
