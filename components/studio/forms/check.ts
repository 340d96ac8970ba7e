import type { FieldError } from '@steward/kernel';
import type { FieldType, FormDefinition, FormField, RuleName, ValidationRule } from './definition.ts';

type Faults = (pointer: string, code: string, detail: string) => void;

/** What is wrong with a definition taken by itself, whatever its tenant has; pointers into the form. */
export function checkDefinition(definition: FormDefinition): FieldError[] {
  const errors: FieldError[] = [];
  const fault: Faults = (pointer, code, detail) => errors.push({ pointer, code, detail });
  const byName = new Map(definition.fields.map((field) => [field.name, field]));
  checkNames(definition.fields, fault);
  checkMappings(definition.fields, fault);
  definition.fields.forEach((field, index) => checkOptions(field, `/fields/${index}`, fault));
  checkRules(definition.validationRules, byName, fault);
  const mails = definition.notificationEmails.map((mail) => mail.toLowerCase());
  mails.forEach((mail, index) => {
    if (mails.indexOf(mail) !== index)
      fault(`/notificationEmails/${index}`, 'duplicate_email', 'This address is already in the list: leave it out.');
  });
  return errors;
}

/** `contactId` in any spelling: the storefront refuses it from the public (contracts §7), so no form may ask for it. */
const isContactId = (name: string): boolean => name.replaceAll(/[_-]/g, '').toLowerCase() === 'contactid';

function checkNames(fields: readonly FormField[], fault: Faults): void {
  const seen = new Set<string>();
  fields.forEach(({ name }, index) => {
    const pointer = `/fields/${index}/name`;
    if (isContactId(name))
      fault(
        pointer,
        'contact_id_not_accepted',
        'A form cannot ask for a contact id: map a field to email, phone or name, and the server finds the contact.',
      );
    // Such a name is found in every JavaScript object, so that a missing value would look like a given one.
    else if (name in {}) fault(pointer, 'reserved_name', 'This name is reserved: choose another one.');
    const folded = name.toLowerCase();
    if (seen.has(folded))
      fault(
        pointer,
        'duplicate_name',
        `Another field is called ${name}, and upper and lower case count as the same: choose another name.`,
      );
    seen.add(folded);
  });
}

function checkMappings(fields: readonly FormField[], fault: Faults): void {
  const seen = new Set<string>();
  fields.forEach(({ mapsTo }, index) => {
    if (mapsTo === undefined) return;
    if (isContactId(mapsTo))
      fault(
        `/fields/${index}/mapsTo`,
        'contact_id_not_accepted',
        'A field cannot be mapped to a contact id: map it to email, phone, name or a custom field.',
      );
    if (seen.has(mapsTo))
      fault(
        `/fields/${index}/mapsTo`,
        'duplicate_mapping',
        `Another field is already mapped to ${mapsTo}: remove one of the two mappings.`,
      );
    seen.add(mapsTo);
  });
}

const choices: ReadonlySet<FieldType> = new Set(['radio', 'select', 'multiselect']);

function checkOptions({ type, options }: FormField, pointer: string, fault: Faults): void {
  if (choices.has(type) && options === undefined)
    fault(`${pointer}/options`, 'options_required', `A field of type ${type} needs options: give at least one.`);
  if (!choices.has(type) && options !== undefined)
    fault(`${pointer}/options`, 'options_not_accepted', `A field of type ${type} has no options: leave them out.`);
  const seen = new Set<string>();
  options?.forEach(({ value }, index) => {
    if (seen.has(value))
      fault(
        `${pointer}/options/${index}`,
        'duplicate_option',
        'Another option already has this value: give each value once.',
      );
    seen.add(value);
  });
}

const texts: readonly FieldType[] = ['text', 'textarea', 'email', 'tel', 'url', 'hidden'];
const fits: Readonly<Record<Exclude<RuleName, 'required'>, readonly FieldType[]>> = {
  min_length: texts,
  max_length: texts,
  pattern: texts,
  min: ['number', 'date'],
  max: ['number', 'date'],
  min_items: ['multiselect'],
  max_items: ['multiselect'],
};

function checkRules(rules: readonly ValidationRule[], fields: ReadonlyMap<string, FormField>, fault: Faults): void {
  const seen = new Map<string, string | number | undefined>();
  rules.forEach((one, index) => {
    const pointer = `/validationRules/${index}`;
    const field = fields.get(one.field);
    if (field === undefined) {
      fault(`${pointer}/field`, 'unknown_field', `The form has no field ${one.field}: name one of its fields.`);
      return;
    }
    if (seen.has(`${one.field}\n${one.rule}`))
      fault(pointer, 'duplicate_rule', `${one.field} already has a rule ${one.rule}: leave one of them out.`);
    seen.set(`${one.field}\n${one.rule}`, one.value);
    if (one.rule !== 'required' && !fits[one.rule].includes(field.type))
      fault(
        `${pointer}/rule`,
        'rule_not_for_type',
        `The rule ${one.rule} does not apply to a field of type ${field.type}: leave it out.`,
      );
    else {
      const detail = faultOfValue(one, field.type);
      if (detail !== undefined) fault(`${pointer}/value`, 'invalid_value', detail);
    }
  });
  for (const [low, high] of bounds) {
    rules.forEach((one, index) => {
      const top = seen.get(`${one.field}\n${high}`);
      if (one.rule !== low || top === undefined || one.value === undefined) return;
      if (typeof top === typeof one.value && one.value > top)
        fault(
          `/validationRules/${index}/value`,
          'invalid_value',
          `${low} of ${one.field} is above its ${high}: lower the one or raise the other.`,
        );
    });
  }
}

const bounds = [
  ['min_length', 'max_length'],
  ['min', 'max'],
  ['min_items', 'max_items'],
] as const;

function faultOfValue({ rule, value }: ValidationRule, type: FieldType): string | undefined {
  switch (rule) {
    case 'required':
      return value === undefined ? undefined : 'The rule required takes no value: leave it out.';
    case 'pattern':
      return typeof value === 'string' && value !== '' && isPattern(value)
        ? undefined
        : 'Give a regular expression as the HTML attribute pattern takes it, without slashes around it.';
    case 'min':
    case 'max':
      if (type === 'date') return isDay(value) ? undefined : 'Give a day such as 2026-12-31.';
      return typeof value === 'number' ? undefined : 'Give a number.';
    default:
      return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 100_000
        ? undefined
        : 'Give a whole number from 0 to 100000.';
  }
}

/** Browsers compile the attribute with the flag `v`. It is only compiled here: submitted text never meets it. */
function isPattern(source: string): boolean {
  try {
    return new RegExp(`^(?:${source})$`, 'v').source !== '';
  } catch {
    return false;
  }
}

function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const at = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(value);
}
