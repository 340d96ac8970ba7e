import { z } from 'zod';
import {
  fieldName,
  fieldTypes,
  mapsTo,
  mostFields,
  ruleNames,
  shownField,
  shownOptions,
  shownRules,
} from './definition.ts';

// What agents see. Texts are checked by the verbs: their patterns use Unicode classes, which not every client's
// schema library can compile.

export const definitionInput = {
  name: z.string().min(1).max(200).meta({ description: 'Its title, such as `Contact us`.' }),
  fields: z
    .array(
      z.strictObject({
        name: fieldName.meta({ description: 'Key of the submitted value: a letter, then letters, digits, _ or -.' }),
        label: z.string().min(1).max(300),
        type: z.enum(fieldTypes),
        required: z.boolean().optional(),
        placeholder: z.string().max(300).optional(),
        help_text: z.string().max(2000).optional(),
        options: z
          .array(
            z.union([
              z.string().min(1).max(200),
              z.strictObject({ value: z.string().min(1).max(200), label: z.string().max(300).optional() }),
            ]),
          )
          .min(1)
          .max(500)
          .optional()
          .meta({ description: 'Of radio, select and multiselect: `["Sales"]` or `[{"value":"s","label":"Sales"}]`.' }),
        maps_to: mapsTo
          .optional()
          .meta({ description: '`email`, `phone` or `name` of the contact, or the key of a custom contact field.' }),
      }),
    )
    .max(mostFields),
  validation_rules: z
    .array(
      z.strictObject({
        field: z.string().max(64),
        rule: z.enum(ruleNames),
        value: z.union([z.string().max(500), z.number()]).optional(),
        message: z.string().min(1).max(300).optional(),
      }),
    )
    .max(500)
    .meta({
      description:
        'What pages check: [{"field":"message","rule":"min_length","value":10,"message":"A little more, please"}]. min_length, max_length and pattern of texts; min and max of numbers and days; min_items and max_items of multiselect.',
    }),
  target_entity_type: z
    .string()
    .max(64)
    .nullable()
    .meta({ description: '`crm_contact` where fields are mapped (the default then), else null.' }),
  notification_emails: z
    .array(z.string().max(254))
    .max(10)
    .meta({ description: 'Who is told of each submission; addresses of your own.' }),
  default_country: z
    .string()
    .length(2)
    .nullable()
    .meta({ description: 'ISO 3166, for telephone numbers without a country code; the site’s where not given.' }),
};

const summary = {
  id: z.string(),
  site_id: z.string(),
  name: z.string(),
  status: z.enum(['draft', 'published', 'unpublished', 'archived']),
  active_version: z.int().nullable(),
  latest_version: z.int(),
  revision: z.int(),
  has_unpublished_changes: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
};

export const summaryOutput = z.object(summary);

export const formOutput = z.object({
  ...summary,
  fields: z.array(
    z.object({
      ...shownField,
      help_text: z.string().optional(),
      options: shownOptions,
      maps_to: z.string().optional(),
    }),
  ),
  validation_rules: shownRules,
  target_entity_type: z.string().nullable(),
  notification_emails: z.array(z.string()),
  default_country: z.string().nullable(),
});
