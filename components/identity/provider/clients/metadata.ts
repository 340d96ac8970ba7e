import { isLoopback } from '@steward/kernel';
import type { ClientMetadata } from 'oidc-provider';
import { InvalidClientMetadata } from 'oidc-provider/lib/helpers/errors.js';

const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials'];

/**
 * Settles what registrations and client documents leave open, or get wrong in ways that real clients do.
 * - `application_type` is seldom given: a custom scheme or a loopback redirect means a native client, whose loopback
 *   port may change (RFC 8252 §7.3).
 * - Grant types that are not served here (a device code) are left out rather than refused.
 * - `scope` only ever narrows what may be asked for later, and clients register less than they need.
 * @throws InvalidClientMetadata for a redirect that would carry the code over an open network
 */
export function settleMetadata(metadata: ClientMetadata): void {
  const redirects = strings(metadata.redirect_uris).map((redirect) => URL.parse(redirect));
  if (redirects.some((url) => url?.protocol === 'http:' && !isLoopback(url.hostname))) {
    throw new InvalidClientMetadata('redirect_uris must use https, a loopback address, or a scheme of the app');
  }
  const native = redirects.some((url) => url !== null && url.protocol !== 'https:');
  metadata.application_type ??= native ? 'native' : 'web';
  const served = strings(metadata.grant_types).filter((type) => grantTypes.includes(type));
  const secret = metadata.token_endpoint_auth_method !== 'none';
  const usable = served.filter((type) => secret || type !== 'client_credentials');
  if (usable.includes('authorization_code') && !usable.includes('refresh_token')) usable.push('refresh_token');
  if (usable.length > 0) metadata.grant_types = usable;
  delete metadata.scope;
}

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
