import type { Guard } from '@steward/contract';
import type { Request } from '@steward/kernel';
import type { SiteKey, Storefront } from '@steward/studio';
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

/**
 * Before the body is read: the form's id, the key, and the page it is used on. A request without `Origin` comes from no
 * browser's page, and its sender could say any.
 */
export function visitGuard(
  { keyOf }: Pick<Storefront, 'keyOf'>,
  admitted: (request: Request, visit: Visit) => void,
): Guard<Visit> {
  return {
    security: 'none',
    errors: ['rate_limited', 'invalid_form_id', 'invalid_sdk_key', 'origin_not_allowed'],
    admit: (request) => {
      const formId = formIdOf(request);
      const text = keyTextOf(request);
      const settle = (key: SiteKey | undefined): Visit => {
        if (key === undefined) throw refusedKey(text);
        const visit = { key, formId };
        admitted(request, visit);
        const { origin } = request.headers;
        if (origin !== undefined && !key.origins.includes(origin)) {
          throw commerceFail(
            'origin_not_allowed',
            'Pages of this origin may not use this key: add the origin to the site, exactly as the browser sends it.',
          );
        }
        return visit;
      };
      const key = text === undefined ? undefined : keyOf(text);
      return key instanceof Promise ? key.then(settle) : settle(key);
    },
  };
}

const refusedKey = (text: string | undefined) =>
  commerceFail(
    'invalid_sdk_key',
    text === undefined
      ? "Send the site's publishable key in X-Service-SDK-Key."
      : 'This key is unknown, revoked or expired: use a live key of the site.',
    { headers: { 'www-authenticate': 'SDK-Key realm="storefront"' } },
  );
