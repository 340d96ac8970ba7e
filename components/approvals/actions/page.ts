import { createHash } from 'node:crypto';
import { fail, isId, type Scope } from '@steward/kernel';

const style =
  ':root{color-scheme:light dark;font:100%/1.5 system-ui,sans-serif}body{margin:0;padding:2rem 1rem}' +
  'main{max-width:40rem;margin:0 auto}h1{font-size:1.4rem;line-height:1.2}code,pre{overflow-wrap:anywhere;white-space:pre-wrap}';

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The address that agents hand to people and mail leads to. An id is a name and no capability: whoever opens it is not
 * known yet, so the page is the same for every id, existing or not, and says how to look and decide.
 */
export function approvalPages(scope: Scope, portal: string): void {
  scope.get('/approvals/:id', async (request, reply) => {
    const { id } = request.params as { id: string };
    if (!isId(id)) throw fail('not_found', 'Nothing is served at this address.');
    return reply
      .type('text/html; charset=utf-8')
      .headers({
        'content-security-policy': policy,
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
      .send(pageOf(id, portal));
  });
}

const pageOf = (id: string, portal: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>An action awaits a decision</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>An action awaits a decision</h1>
<p>An agent asked for something that takes effect only when people with the right role have approved it.
Opening this page has decided nothing.</p>
<h2>Look at it</h2>
<p>Sign in as an approver and read the action with its preview, the limits it meets and who has approved already:</p>
<pre><code>GET ${escaped(portal)}/api/pending-actions/${id}</code></pre>
<h2>Decide</h2>
<p>Approve exactly what you saw by sending its <code>previewHash</code>, or reject it with a reason that the agent is told:</p>
<pre><code>POST ${escaped(portal)}/api/pending-actions/${id}/approve
{"previewHash": "…"}

POST ${escaped(portal)}/api/pending-actions/${id}/reject
{"reason": "…"}</code></pre>
<p>Never give an agent the token you decide with.</p>
</main>
</body>
</html>
`;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
