import { Refused } from './api.js';
import { put } from './screen.js';
import { session, signInButtons } from './session.js';
import { el, text } from './show.js';

/** Whichever organization has it: the organization, and what it answers. Undefined, and said so, where none has. */
export async function whoeverHas(path, what) {
  const held = session.organizations.toSorted(
    (a, b) => Number(b.id === session.tenant) - Number(a.id === session.tenant),
  );
  for (const organization of held) {
    try {
      const answer = await session.ask('GET', path, { tenant: organization.id });
      session.tenant = organization.id;
      return { organization, answer };
    } catch (error) {
      if (!(error instanceof Refused) || ![403, 404].includes(error.status)) throw error;
    }
  }
  put(
    'There is nothing here for you',
    el(
      'p',
      {},
      `No such ${what} is in the organizations of `,
      text(session.who || 'this login'),
      ', or your role does not show it.',
    ),
    signInButtons(true, 'Sign in as somebody else'),
  );
  return undefined;
}
