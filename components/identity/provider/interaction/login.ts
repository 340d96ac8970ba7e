import { loginMain } from '../pages/login.ts';
import { sendPage } from '../pages/page.ts';
import { clientNamed, type Step } from './step.ts';

/** Logs in anybody as the person that they name. */
export async function login(step: Step): Promise<void> {
  const { provider, setting, request, response, details, form } = step;
  const email = form?.get('email')?.trim();
  if (email !== undefined && /^[^\s@]{1,64}@[^\s@]{1,189}$/.test(email)) {
    const accountId = await setting.accounts.signIn(email);
    await provider.interactionFinished(request, response, { login: { accountId, amr: ['dev'] } });
    return;
  }
  const hint = details.params['login_hint'];
  sendPage(response, form === undefined ? 200 : 400, {
    title: 'Sign in',
    main: loginMain({
      client: (await clientNamed(step)).name,
      email: email ?? (typeof hint === 'string' ? hint.slice(0, 254) : ''),
      fault: form === undefined ? undefined : 'Enter an e-mail address, such as alice@example.com.',
    }),
    unsafePublic: setting.unsafePublic,
  });
}
