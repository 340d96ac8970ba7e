import { fail, jsonPointer } from '@steward/kernel';
import { commerceFail } from '../errors.ts';

/** Submitted values by field name, as they were sent. */
export type Data = Readonly<Record<string, unknown>>;

/** The value of `data`, and its JSON text. */
export interface Submitted {
  readonly data: Data;
  readonly text: string;
}

/** Bytes of `data` as compact JSON. */
export const mostBytes = 65_536;

/**
 * The body of a submission, checked as far as no form is needed. Members beside `data` are other pages' business and
 * ignored, but for `contactId`, which no public caller may choose.
 * @throws Problem `contact_id_not_accepted`, `data_required`, `invalid_data` (400), `payload_too_large` (413)
 */
export function readSubmitted(body: unknown): Submitted {
  const found = pointerTo(body, (key) => key === 'contactId');
  if (found !== undefined) {
    throw commerceFail(
      'contact_id_not_accepted',
      'contactId is not accepted: leave it out, and the server finds the contact by the mapped values.',
      {
        errors: [{ pointer: found, code: 'contact_id_not_accepted', detail: 'Leave this member out.' }],
      },
    );
  }
  const data = isObject(body) && Object.hasOwn(body, 'data') ? body['data'] : undefined;
  if (data === undefined || data === null) {
    throw commerceFail('data_required', 'Send the values by field name under data.', {
      errors: [{ pointer: '/data', code: 'required', detail: 'This field is required.' }],
    });
  }
  if (!isObject(data)) {
    throw commerceFail('invalid_data', 'data must be an object of values by field name.', {
      errors: [{ pointer: '/data', code: 'invalid_type', detail: 'This must be an object.' }],
    });
  }
  const nul = pointerTo(data, (_key, value) => typeof value === 'string' && value.includes('\0'));
  if (nul !== undefined) {
    throw commerceFail('invalid_data', 'The text contains the NUL character: remove it.', {
      errors: [{ pointer: `/data${nul}`, code: 'invalid_characters', detail: 'Remove the NUL character.' }],
    });
  }
  const text = JSON.stringify(data);
  if (text.length > mostBytes || Buffer.byteLength(text) > mostBytes) {
    const detail = `data may have up to ${mostBytes} bytes as JSON.`;
    throw fail('payload_too_large', detail, { errors: [{ pointer: '/data', code: 'too_large', detail }] });
  }
  return { data, text };
}

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 6901. */
export const step = (key: string): string => jsonPointer([key], 128);

/** The place of the first member for which `holds` is true; the parser bounds the depth of JSON. */
function pointerTo(value: unknown, holds: (key: string, value: unknown) => boolean): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    for (const [at, member] of value.entries()) {
      const below = holds('', member) ? '' : pointerTo(member, holds);
      if (below !== undefined) return `/${at}${below}`;
    }
    return undefined;
  }
  for (const [key, member] of Object.entries(value)) {
    const below = holds(key, member) ? '' : pointerTo(member, holds);
    if (below !== undefined) return `${step(key)}${below}`;
  }
  return undefined;
}
