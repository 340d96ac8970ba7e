import { isCurrency, type FieldError, fail } from '@steward/kernel';
import { z } from 'zod';
import { portalFail } from '../errors.ts';

/** The input of a signup with defaults filled in: the canonical body that belongs to an idempotency key. */
export interface SignupRequest {
  readonly organizationName: string;
  /** ISO 4217. */
  readonly defaultCurrency: string;
  /** 1–12. */
  readonly fiscalYearStartMonth: number;
  readonly persona: string;
  /** Of documents and letters: a language subtag such as `de` (BCP 47). Undefined: English. */
  readonly language?: string | undefined;
}

const defaults = { defaultCurrency: 'USD', fiscalYearStartMonth: 1, persona: 'general' };
/** For the reference; `readSignup` reads it, in an order of its own. */
export const signupBody = z.looseObject({
  organizationName: z.string().min(1).max(200).optional().meta({ description: 'Required, unless `name` is given.' }),
  name: z.string().min(1).max(200).optional().meta({ description: 'Used where `organizationName` is not given.' }),
  defaultCurrency: z.string().length(3).default(defaults.defaultCurrency).meta({ description: 'ISO 4217.' }),
  fiscalYearStartMonth: z.int().min(1).max(12).default(defaults.fiscalYearStartMonth),
  persona: z.string().min(1).max(64).default(defaults.persona),
  language: z.string().optional().meta({
    description:
      'Language of the documents and letters of the organization: en, de, es, ja, or a tag that begins so, such as de-AT. In any other, they are English.',
  }),
  idempotencyKey: z
    .string()
    .min(8)
    .max(200)
    .optional()
    .meta({ description: 'Used where the header Idempotency-Key is not sent.' }),
});

const controls = /\p{Cc}/u;

/**
 * Reads a signup body. Unknown fields are ignored: the callers are other people's agents.
 * @throws Problem `organization_name_required`, `idempotency_key_required`, `invalid_idempotency_key`, `invalid_request` (400)
 */
export function readSignup(body: unknown, headerKey: string | undefined): { key: string; request: SignupRequest } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw fail('invalid_request', 'The body must be a JSON object.', {
      errors: [{ pointer: '', code: 'invalid_type', detail: 'Send a JSON object.' }],
    });
  }
  const fields = body as Record<string, unknown>;
  const organizationName = readName(fields);
  const faults: FieldError[] = [];
  const check = (field: keyof typeof defaults, acceptable: (value: unknown) => boolean, detail: string): unknown => {
    const value = fields[field] ?? defaults[field];
    if (!acceptable(value)) faults.push({ pointer: `/${field}`, code: 'invalid_value', detail });
    return value;
  };
  const language = languageOf(fields['language']);
  const request = {
    organizationName,
    defaultCurrency: check(
      'defaultCurrency',
      (value) => typeof value === 'string' && isCurrency(value),
      'Give the code of a currency in use (ISO 4217) in upper case, such as EUR.',
    ),
    fiscalYearStartMonth: check('fiscalYearStartMonth', isMonth, 'Give an integer from 1 to 12.'),
    persona: check('persona', isPersona, 'Give a string of 1 to 64 characters.'),
    ...(language === undefined ? {} : { language }),
  } as SignupRequest;
  if (faults.length > 0)
    throw fail('invalid_request', `${faults[0]?.pointer}: ${faults[0]?.detail}`, { errors: faults });
  return { key: readKey(headerKey, fields['idempotencyKey']), request };
}

/** What is no tag is ignored, as a field is that nobody knows. */
const languageOf = (tag: unknown): string | undefined =>
  typeof tag === 'string' && tag.length <= 35 ? /^[a-z]{2,3}(?=$|-)/.exec(tag.toLowerCase())?.[0] : undefined;

function readName(fields: Record<string, unknown>): string {
  const { organizationName, name: alias } = fields;
  const [pointer, given] =
    organizationName === undefined || organizationName === null
      ? (['/name', alias] as const)
      : (['/organizationName', organizationName] as const);
  const name = typeof given === 'string' ? given.trim() : '';
  if (name === '') {
    const missing = given === undefined || given === null;
    throw portalFail('organization_name_required', 'Send organizationName with the name of the organization.', {
      errors: [
        missing
          ? { pointer: '/organizationName', code: 'required', detail: 'This field is required.' }
          : { pointer, code: 'required', detail: 'Give a text that is not blank.' },
      ],
    });
  }
  if (name.length > 200 || controls.test(name)) {
    throw fail('invalid_request', `${pointer} must have at most 200 characters and no control characters.`, {
      errors: [
        {
          pointer,
          code: 'invalid_value',
          detail: 'Give up to 200 characters, without control characters.',
        },
      ],
    });
  }
  return name;
}

const isMonth = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 12;
const isPersona = (value: unknown): boolean =>
  typeof value === 'string' && value.length >= 1 && value.length <= 64 && !controls.test(value);

/** The header wins over the body, even when the body's key would be the valid one. */
function readKey(header: string | undefined, inBody: unknown): string {
  const [pointer, key] = header === undefined ? ['/idempotencyKey', inBody] : ['Idempotency-Key', header];
  if (key === undefined || key === null) {
    throw portalFail(
      'idempotency_key_required',
      'Send the header Idempotency-Key, or idempotencyKey in the body: 8 to 200 characters.',
    );
  }
  if (typeof key !== 'string' || key.length < 8 || key.length > 200 || controls.test(key)) {
    throw portalFail(
      'invalid_idempotency_key',
      'The idempotency key must be a string of 8 to 200 characters without control characters.',
      {
        errors: [{ pointer: String(pointer), code: 'invalid_value', detail: 'Give 8 to 200 characters.' }],
      },
    );
  }
  return key;
}
