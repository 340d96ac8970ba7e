declare module 'oidc-provider/lib/provider.js' {
  export { Provider } from 'oidc-provider';
}

declare module 'oidc-provider/lib/helpers/errors.js' {
  import { errors } from 'oidc-provider';

  export class InvalidClientMetadata extends errors.InvalidClientMetadata {}
  export class InvalidTarget extends errors.InvalidTarget {}
  export class SessionNotFound extends errors.SessionNotFound {}
}
