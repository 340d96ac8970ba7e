import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import type { TenantChoice } from '../pages/consent.ts';
import type { Setting } from '../setting.ts';

export interface InteractionParts {
  readonly provider: Provider;
  readonly setting: Setting;
  readonly tenantsOf: (subject: string) => Promise<readonly TenantChoice[]>;
}

type Details = Awaited<ReturnType<Provider['interactionDetails']>>;

/** One step between the authorization request and its answer. */
export interface Step extends InteractionParts {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly details: Details;
  /** What was submitted; undefined when the page is asked for. */
  readonly form: URLSearchParams | undefined;
}

/** How a client is called on the pages: its name, else the host of its id, else its id. */
export async function clientNamed(step: Step): Promise<{ id: string; name: string }> {
  const id = String(step.details.params['client_id']);
  const client = await step.provider.Client.find(id).catch(() => undefined);
  const name = client?.clientName ?? URL.parse(id)?.host ?? id;
  return { id, name: name.slice(0, 80) };
}
