/** Where a person is led after signing in: a page of the console. Anything else, of another origin above all, leads to its beginning. */
export function safeBack(to: string | null, origin: string): string {
  if (to === null || to.length > 2_000) return '/';
  const url = URL.parse(to, origin);
  if (url === null || url.origin !== origin || !to.startsWith('/') || /^\/[/\\]/.test(to)) return '/';
  const page =
    /^\/o\/[\w-]+(?:\/|$)/.test(url.pathname) || /^\/console\/(?:stepped-up|approvals\/[\w-]+)$/.test(url.pathname);
  return page ? url.pathname + url.search + url.hash : '/';
}
