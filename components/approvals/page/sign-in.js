// Authorization code with PKCE (RFC 7636), as a public client. The token lives in this page's memory alone: reloading
// forgets it, and no other tab, no storage and no address ever has it.

const place = 'steward.signing-in';

/** Seconds; deciding takes a login of the last 15 minutes, and some of them are for reading. */
const youngest = 600;

const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** Only what is done there is asked for: reading takes no login of a moment ago, and no right to decide. */
const wishesOf = (reading) =>
  reading ? { scope: 'openid email' } : { scope: 'openid email service:approvals:decide', max_age: String(youngest) };

/** Leaves for the identity provider. What is kept meanwhile proves, on coming back, that this tab asked; it is no secret of use to others. */
export async function signIn(settings, provider, again, reading) {
  // Where there is a console, only this query keeps the address to the page here.
  const plain = location.search === '?plain' ? '?plain' : '';
  const asked = { state: random(), verifier: random(), issuer: provider.issuer, back: location.pathname + plain };
  sessionStorage.setItem(place, JSON.stringify(asked));
  const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(asked.verifier));
  const address = new URL(provider.authorizationEndpoint);
  const wishes = {
    response_type: 'code',
    client_id: provider.client,
    redirect_uri: settings.redirect,
    ...wishesOf(reading),
    state: asked.state,
    code_challenge: base64url(challenge),
    code_challenge_method: 'S256',
    resource: settings.portal,
    ...(provider.audience === undefined ? {} : { audience: provider.audience }),
    ...(again ? { prompt: 'login' } : {}),
  };
  for (const [name, value] of Object.entries(wishes)) address.searchParams.set(name, value);
  location.assign(address);
}

/** The session that the identity provider has just sent back, if it has. @throws Error in words for the person */
export async function signedIn(settings) {
  if (location.pathname !== new URL(settings.redirect).pathname) return undefined;
  const answer = new URLSearchParams(location.search);
  const asked = JSON.parse(sessionStorage.getItem(place) ?? 'null');
  sessionStorage.removeItem(place);
  const [base, submissions] = [settings.base, settings.submissions].map((at) => new URL(at, location.origin).pathname);
  const ours = [base, `${submissions}/`].some((place) => asked?.back?.startsWith(place));
  const back = ours && asked.back !== location.pathname ? asked.back : base;
  // The code goes out of the address before anything else happens.
  history.replaceState(null, '', back);
  if (asked === null || answer.get('state') !== asked.state) throw new Error('That sign-in was not begun here.');
  if ((answer.get('iss') ?? asked.issuer) !== asked.issuer) throw new Error('Another identity provider answered.');
  if (answer.has('error')) throw new Error('You were not signed in.');
  const provider = settings.providers.find(({ issuer }) => issuer === asked.issuer);
  if (provider === undefined) throw new Error('That identity provider is not known here.');
  const response = await fetch(provider.tokenEndpoint, {
    method: 'POST',
    credentials: 'omit',
    redirect: 'error',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: answer.get('code') ?? '',
      redirect_uri: settings.redirect,
      client_id: provider.client,
      code_verifier: asked.verifier,
      resource: settings.portal,
    }),
  });
  if (!response.ok) throw new Error('The identity provider did not complete the sign-in.');
  const tokens = await response.json();
  return { token: tokens.access_token, ...personIn(tokens.id_token) };
}

/** Only for what is shown: it came straight from the token endpoint, and the server decides nothing by it. */
function personIn(idToken) {
  try {
    const bytes = Uint8Array.from(atob(idToken.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')), (c) =>
      c.charCodeAt(0),
    );
    const { email, name, sub } = JSON.parse(new TextDecoder().decode(bytes));
    return { id: String(sub), who: String(email ?? name ?? sub) };
  } catch {
    return { id: '', who: '' };
  }
}
