import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { giveFeedToken } from './give-token.ts';
import { listFeeds } from './list.ts';
import { pauseFeed } from './pause.ts';
import type { FeedPorts } from './ports.ts';
import { removeFeed } from './remove.ts';
import { resumeFeed } from './resume.ts';
import { setFeedAt } from './set.ts';

const one = { 200: 'The feed.' };

export function pushedRoutes(guard: Guard<Admitted>, ports: FeedPorts): Route[] {
  const rest = restOf({ guard, tag: 'Agentic commerce', ports });
  return [
    rest('GET', '/api/agent-feeds', listFeeds, {
      summary: 'List product feeds at agent platforms',
      answers: { 200: 'A page of feeds, with how each goes.' },
    }),
    rest('PUT', '/api/shopping-agents/:agentId/feed', setFeedAt, {
      summary: 'Say where an agent platform takes a product feed',
      description:
        'Of agents that buy by ACP. Needs a token that may decide; every other caller proposes it. Another address drops the token of the platform; another address or ' +
        'country begins another feed there.',
      answers: one,
    }),
    rest('PUT', '/api/agent-feeds/:feedId/token', giveFeedToken, {
      summary: 'Give the bearer token of a platform',
      description:
        'With the address that it is for: where the feed has been moved meanwhile, it is refused (409 `conflict`) and goes nowhere. Nobody is shown it again. ' +
        'The feed begins, unless a member paused it. Needs a token of ours that may decide.',
      answers: one,
      errors: ['client_not_approver', 'login_too_old'],
    }),
    rest('POST', '/api/agent-feeds/:feedId/pause', pauseFeed, {
      summary: 'Pause a product feed',
      answers: one,
    }),
    rest('POST', '/api/agent-feeds/:feedId/resume', resumeFeed, {
      summary: 'Resume a product feed',
      description: 'Needs a token that may decide; every other caller proposes it.',
      answers: one,
    }),
    rest('DELETE', '/api/agent-feeds/:feedId', removeFeed, {
      summary: 'Remove a product feed',
      description: 'With its token. The platform keeps what it has.',
      answers: { 200: 'The feed as it was.' },
    }),
  ];
}
