import { counted } from '@steward/kernel';
import { toolOf, under, type Tool } from '@steward/tools';
import { feed, type Feed, hostOf } from './feed.ts';
import { listFeeds } from './list.ts';
import { pauseFeed } from './pause.ts';
import type { FeedPorts } from './ports.ts';
import { removeFeed } from './remove.ts';
import { resumeFeed } from './resume.ts';
import { setFeedAt } from './set.ts';
import type { Reason } from './words.ts';

const shows = under('feed', feed.answer);
const because: Readonly<Record<Reason, string>> = {
  token_missing: 'nobody has given its token',
  member: 'a member paused it',
  refused: 'the platform will not take it',
  client_shut_out: 'the client that it was made through was shut out',
  shut_out_stopped: 'the client that it was made through was shut out, and it had stopped before',
};
const called = (one: Pick<Feed, 'url'>): string => `the feed to ${hostOf(one)}`;
const said = (one: Feed): string =>
  `${called(one).replace('the', 'The')} is ${one.status}${one.reason === null ? '' : `, because ${because[one.reason]}`}.`;
/** Without what counts, or goes on by itself. */
const bound = ({ agentId, brandId, url, targetCountry }: Feed) => ({ feed: { agentId, brandId, url, targetCountry } });

export const feedTools: readonly Tool<FeedPorts>[] = [
  toolOf(setFeedAt, {
    rare: true,
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: true },
    title: 'Say where an agent platform takes a product feed',
    description:
      'Has what a brand sells pushed to an agent platform that buys by ACP, at the https address of its feeds API, and kept as it is from then on. Data leaves the ' +
      'organization, so a person approves it. Nothing is pushed before a person has given the bearer token of the platform, which no tool takes.',
    approval: { moneyOut: false },
    shows,
    preview: bound,
    keepsPreview: true,
    say: (one, preview) =>
      preview
        ? `Would push what the brand sells to ${hostOf(one)}.`
        : `${said(one)}${one.reason === 'token_missing' ? ' A person gives the token with PUT /api/agent-feeds/{feedId}/token.' : ''}`,
  }),
  toolOf(listFeeds, {
    rare: true,
    core: false,
    title: 'List product feeds at agent platforms',
    description:
      'Lists the feeds that are pushed to agent platforms: the id at the platform, how many products it has, waits for and refused, when it last took something, what ' +
      'failed and why, and when it is tried next.',
    answers: { items: 'feeds' },
    say: ({ items }) => `${counted(items.length, 'feed')}.`,
  }),
  toolOf(pauseFeed, {
    rare: true,
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Pause a product feed',
    description: 'Pushes nothing to a platform until the feed is resumed. The platform keeps what it has.',
    shows,
    preview: bound,
    say: (one, preview) => (preview ? `Would pause ${called(one)}.` : said(one)),
  }),
  toolOf(resumeFeed, {
    rare: true,
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: true },
    title: 'Resume a product feed',
    description:
      'Pushes on, after a pause or after what the platform refused was mended: everything is compared, and what changed is sent. Data leaves the organization, so a ' +
      'person approves it.',
    approval: { moneyOut: false },
    shows,
    preview: bound,
    keepsPreview: true,
    say: (one, preview) => (preview ? `Would resume ${called(one)}.` : said(one)),
  }),
  toolOf(removeFeed, {
    rare: true,
    core: false,
    final: true,
    annotations: { destructiveHint: true, idempotentHint: false },
    title: 'Remove a product feed',
    description:
      'Removes a feed for good, with its token. The platform keeps what it has: take products off the brand first, and wait until that is pushed, to have them shown as unavailable there.',
    shows,
    preview: bound,
    say: (one, preview) => (preview ? `Would remove ${called(one)}.` : `Removed ${called(one)}.`),
  }),
];
