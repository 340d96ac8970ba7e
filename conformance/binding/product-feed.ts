import type { World } from '@steward/conformance/world';
import type { Things } from './commands.ts';

/** Gives product feeds a token of their platform, as a person who may. */
export const givingTokens =
  (world: World, tenant: string, user: string): Things['withToken'] =>
  async (feedId) => {
    const token = await world.token({ user, approver: true });
    const at = `${world.server.addresses.commerce}/api/agent-feeds/${feedId}/token`;
    const { status, body } = await world.call(at, {
      token,
      tenant,
      method: 'PUT',
      body: { token: 'token-of-the-brand' },
    });
    if (status !== 200) throw new Error(JSON.stringify(body));
  };
