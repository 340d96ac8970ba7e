import { consentMain } from '../pages/consent.ts';
import { sendPage } from '../pages/page.ts';
import { isForAssistants, resourceOf } from '../resources.ts';
import { offeredScopes } from '../scopes.ts';
import { clientNamed, type Step } from './step.ts';

/** Shows which client asks for which scopes; allows it, for one tenant if one is chosen. */
export async function consent(step: Step): Promise<void> {
  const { provider, setting, request, response, details, form } = step;
  const accountId = details.session?.accountId ?? '';
  const resources = [details.params['resource']].flat().filter((one) => typeof one === 'string');
  const bound = resources.map((resource) => resourceOf(resource, setting.addresses)?.tenant).find(Boolean);
  const tenants = await step.tenantsOf(accountId);
  if (form?.get('action') === 'switch') return switchAccount(step);
  const chosen = bound ?? form?.get('tenant') ?? '';
  const known = chosen === '' || tenants.some(({ tenant }) => tenant === chosen);
  if (form?.get('action') === 'allow' && (known || bound !== undefined)) {
    const grantId = await grant(step, accountId, resources);
    if (known && chosen !== '') await setting.accounts.bind(grantId, chosen);
    return provider.interactionFinished(request, response, { consent: { grantId } });
  }
  const client = await clientNamed(step);
  sendPage(response, form === undefined ? 200 : 400, {
    title: 'Connect',
    main: consentMain({
      client: client.name,
      clientHome: client.id,
      redirect: redirectShown(details.params['redirect_uri']),
      email: (await setting.accounts.find(accountId))?.email ?? accountId,
      resources,
      inPerson: resources.some((resource) => !isForAssistants(resource, setting.addresses)),
      held: wordsOf(details.params['scope']).some((scope) => scope.startsWith('mcp:')),
      permissions: wordsOf(details.params['scope']).flatMap((scope) => offeredScopes[scope] ?? []),
      tenants,
      bound,
    }),
    unsafePublic: setting.unsafePublic,
  });
}

async function grant({ provider, details }: Step, accountId: string, resources: string[]): Promise<string> {
  const made = new provider.Grant({ accountId, clientId: String(details.params['client_id']) });
  const scope = wordsOf(details.params['scope']).join(' ');
  made.addOIDCScope(scope);
  for (const resource of resources) made.addResourceScope(resource, scope);
  return made.save();
}

/** Ends the session and asks the same again. */
async function switchAccount({ provider, setting, response, details }: Step): Promise<void> {
  const uid = details.session?.uid;
  const session = uid === undefined ? undefined : await provider.Session.findByUid(uid);
  await session?.destroy();
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(details.params)) {
    for (const one of [value].flat()) if (typeof one === 'string') parameters.append(name, one);
  }
  const location = `${setting.issuer.pathname.replace(/\/$/, '')}/authorize?${parameters.toString()}`;
  response.writeHead(303, { location, 'content-length': 0 }).end();
}

const wordsOf = (value: unknown): string[] => (typeof value === 'string' ? value.split(' ').filter(Boolean) : []);

/** Host and scheme, which is what can be trusted or not; the rest is the client's own business. */
function redirectShown(value: unknown): string {
  const url = URL.parse(String(value));
  return url === null ? '' : `${url.protocol}//${url.host}`;
}
