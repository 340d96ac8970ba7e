import { html, type Html } from '@steward/kernel';

/** Paths below the issuer, and what is there. */
const addresses = [
  ['/.well-known/openid-configuration', 'what a client reads first: it names all the others'],
  ['/authorize', 'where a client sends a person to sign in'],
  ['/token', 'tokens for clients'],
  ['/register', 'registration of clients'],
  ['/revoke', 'takes a token back'],
  ['/sign-out', 'ends the session of a person'],
  ['/jwks', 'the public keys that tokens are signed with'],
] as const;

/** For a person who opens an address by hand. @param found whether it is the provider's own address */
export const startMain = (issuer: string, found: boolean): Html =>
  html`<h1>${found ? 'Identity provider' : 'There is nothing at this address'}</h1>
    <p>
      Programs send people to this server to sign in (OAuth 2.1, OpenID Connect). It has no page to begin with: sign in
      from the program that you want to use. Its addresses are:
    </p>
    <ul>
      ${addresses.map(([path, what]) => html`<li><code>${issuer}${path}</code>: ${what}</li>`)}
    </ul>`;
