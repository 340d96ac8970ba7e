import type { Guard } from '@steward/contract';
import type { Request } from '@steward/kernel';
import { isKeyText, type SiteKey, type Storefront } from '@steward/studio';
import { commerceFail } from '../errors.ts';
import { keyTextOf } from './admission.ts';

/** Whose page this is, and the form it names. */
export interface Visit {
  readonly key: SiteKey;
  readonly formId: string;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** @throws Problem `invalid_form_id` (400) */
export function formIdOf({ params }: Request): string {
  const { formId = '' } = params as { formId?: string };
  if (!uuid.test(formId)) {
    throw commerceFail('invalid_form_id', 'The form id in the address is no UUID: copy it from the form.', {
      errors: [{ pointer: '?formId', code: 'invalid_format', detail: 'Give a UUID.' }],
    });
  }
  return formId.toLowerCase();
}

type Keys = Pick<Storefront, 'keyOf'>;

/** Before the body is read: the form's id, the key, and the page it is used on. */
export function visitGuard(keys: Keys, admitted?: (request: Request, visit: Visit) => void): Guard<Visit> {
  return {
    security: 'none',
    errors: ['rate_limited', 'invalid_form_id', 'invalid_sdk_key', 'origin_not_allowed'],
    admit: (request) => {
      const formId = formIdOf(request);
      return underKey(keys, request, (key) => {
        const visit = { key, formId };
        admitted?.(request, visit);
        return visit;
      });
    },
  };
}

/** Before the body is read: the key, and the page it is used on. */
export const keyGuard = (keys: Keys): Guard<SiteKey> => ({
  security: 'none',
  errors: ['rate_limited', 'invalid_sdk_key', 'origin_not_allowed'],
  admit: (request) => underKey(keys, request, (key) => key),
});

/** @param known is called before the origin is looked at. A request without `Origin` comes from no browser's page, and its sender could say any. */
function underKey<T>({ keyOf }: Keys, request: Request, known: (key: SiteKey) => T): T | Promise<T> {
  const text = keyTextOf(request);
  const settle = (key: SiteKey | undefined): T => {
    if (key === undefined) throw refusedKey(text);
    const found = known(key);
    const { origin } = request.headers;
    if (origin !== undefined && !key.origins.includes(origin)) {
      throw commerceFail(
        'origin_not_allowed',
        'Pages of this origin may not use this key: add the origin to the site, exactly as the browser sends it.',
      );
    }
    return found;
  };
  const key = text === undefined ? undefined : keyOf(text);
  return key instanceof Promise ? key.then(settle) : settle(key);
}

export const refusedKey = (text: string | undefined) =>
  commerceFail('invalid_sdk_key', whatIsWrong(text), {
    headers: { 'www-authenticate': 'SDK-Key realm="storefront"' },
  });

function whatIsWrong(text: string | undefined): string {
  if (text === undefined) return "Send the site's publishable key in X-Service-SDK-Key.";
  if (!isKeyText(text))
    return (
      'This is no whole SDK key: one is pk_live_ or pk_test_ and 36 letters and digits, of which the last are a checksum. ' +
      'Copy it again from where it was issued.'
    );
  return (
    'No site has this key in use: it was revoked or replaced, its site is disabled, or another server issued it. ' +
    'Use an active key of the site, or issue one.'
  );
}
