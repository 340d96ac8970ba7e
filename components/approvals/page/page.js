import { one } from './action.js';
import { list } from './list.js';
import { base, follow, isReading, say, settings, submissions } from './screen.js';
import { askToSignIn, become, session, trouble } from './session.js';
import { signedIn } from './sign-in.js';
import { reading } from './submission.js';

const home = document.getElementById('home');

async function go() {
  say('');
  home.hidden = isReading();
  if (session === undefined) return askToSignIn();
  try {
    session.organizations ??= (await session.ask('GET', '/organizations')).items;
    if (isReading()) return await reading(location.pathname.slice(submissions.length + 1));
    const id = location.pathname.slice(base.length + 1);
    await (id === '' ? list() : one(id));
  } catch (error) {
    trouble(error);
  }
}

home.addEventListener('click', follow(base));
addEventListener('popstate', () => void go());
try {
  become(await signedIn(settings));
  await go();
} catch (error) {
  askToSignIn(error.message);
}
