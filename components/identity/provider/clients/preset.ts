import { approverClient } from '../scopes.ts';

/** A client that needs no registration. */
export interface PresetClient {
  readonly client_id: string;
  /** Absent for a public client. */
  readonly client_secret?: string;
  readonly client_name?: string;
  readonly redirect_uris: readonly string[];
  readonly post_logout_redirect_uris?: readonly string[];
  readonly grant_types?: readonly string[];
  readonly response_types?: readonly 'code'[];
  readonly token_endpoint_auth_method?: 'none' | 'client_secret_basic' | 'client_secret_post';
}

/** The console is ours, so it is not asked about; it alone may get the scope that decides pending actions. */
export const consoleClient = (
  redirects: readonly string[],
  signedOut: readonly string[] = [],
): PresetClient & { application_type: 'web' } => ({
  client_id: approverClient,
  client_name: 'Steward console',
  application_type: 'web',
  redirect_uris: redirects,
  post_logout_redirect_uris: signedOut,
  token_endpoint_auth_method: 'none',
});
