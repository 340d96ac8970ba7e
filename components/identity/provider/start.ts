import type { Provider } from 'oidc-provider';
import { pageHeaders, pageText } from './pages/page.ts';
import { startMain } from './pages/start.ts';
import type { Setting } from './setting.ts';

/** Tells people who open an address of the provider by hand what it is; `oidc-provider` would answer two bare words. */
export const showStart =
  ({ issuer, unsafePublic }: Setting): Parameters<Provider['use']>[0] =>
  async (ctx, next) => {
    await next();
    if (ctx.status !== 404 || ctx.body !== undefined) return;
    const found = ctx.path === '/' && (ctx.method === 'GET' || ctx.method === 'HEAD');
    ctx.status = found ? 200 : 404;
    ctx.set(pageHeaders);
    const title = found ? 'Identity provider' : 'Not found';
    ctx.body = pageText({ title, main: startMain(issuer.href, found), unsafePublic });
  };
