import type { World } from '@steward/conformance/world';
import type { Things } from './commands.ts';

/** Gives product feeds a token of their platform, as a person who may. */
export const givingTokens =
  (world: World, tenant: string, user: string): Things['withToken'] =>
  async (feed) => {
    const token = await world.token({ user, approver: true });
    const at = `${world.server.addresses.commerce}/api/agent-feeds/${String(feed?.['id'])}/token`;
    const { status, body } = await world.call(at, {
      token,
      tenant,
      method: 'PUT',
      body: { token: 'token-of-the-brand', url: feed?.['url'] },
    });
    if (status !== 200) throw new Error(JSON.stringify(body));
  };
