import { one } from './action.js';
import { list } from './list.js';
import { base, follow, say, settings } from './screen.js';
import { askToSignIn, become, session, trouble } from './session.js';
import { signedIn } from './sign-in.js';

async function go() {
  say('');
  if (session === undefined) return askToSignIn();
  try {
    session.organizations ??= (await session.ask('GET', '/organizations')).items;
    const id = location.pathname.slice(base.length + 1);
    await (id === '' ? list() : one(id));
  } catch (error) {
    trouble(error);
  }
}

document.getElementById('home').addEventListener('click', follow(base));
addEventListener('popstate', () => void go());
try {
  become(await signedIn(settings));
  await go();
} catch (error) {
  askToSignIn(error.message);
}
