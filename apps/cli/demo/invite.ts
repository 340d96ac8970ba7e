import type { Json, Reply, Request } from './client.ts';

interface Journey {
  /** Base URL. */
  readonly portal: string;
  /** Of the owner where people decide, with the tenant. */
  readonly decider: Record<string, string>;
  /** Of the invited person. */
  readonly invited: { readonly email: string; readonly headers: Record<string, string> };
  step(what: string): void;
  ask(request: Request, show: (reply: Reply) => unknown): Promise<Reply>;
  /** The whole answer of a tool. */
  call(tool: string, args: object): Promise<Json>;
}

/** What an assistant may only propose: somebody is invited, a person approves, and the new member is in. */
export async function inviteJourney({ portal, decider, invited, step, ask, call }: Journey): Promise<void> {
  step('Inviting somebody waits for a person: the assistant proposes it');
  const proposed = await call('service_invite_member', { email: invited.email, role: 'viewer' });
  const url = `${portal}/api/pending-actions/${String(proposed['pending_action_id'])}`;

  step('The owner looks at it and approves, as on the approvals page, with a login that decides');
  const shown = await ask({ url, headers: decider }, ({ body }) => ({
    state: body['state'],
    summary: body['summary'],
  }));
  const approved = await ask(
    { url: `${url}/approve`, headers: decider, body: { previewHash: shown.body['previewHash'] } },
    ({ body }) => ({ state: body['state'], decidedBy: body['decidedBy'], summary: body['summary'] }),
  );

  step('The owner hands over the secret, and whoever was invited accepts');
  const id = String(approved.body['result']?.['data']?.['invitation_id']);
  const handed = await ask(
    { url: `${portal}/api/invitations/${id}/secret`, headers: decider, body: {} },
    ({ body }) => ({ secret: `${String(body['secret']).slice(0, 12)}…` }),
  );
  await ask(
    { url: `${portal}/api/invitations/accept`, headers: invited.headers, body: { secret: handed.body['secret'] } },
    ({ body }) => body,
  );
}
