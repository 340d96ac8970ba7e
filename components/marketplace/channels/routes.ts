import { restOf } from '@steward/access';
import type { Route } from '@steward/contract';
import type { Identity } from '@steward/identity';
import type { ChannelPorts } from '../ports.ts';
import { connectChannel } from './connect.ts';
import { disconnectChannel } from './disconnect.ts';
import { answerDataRequest } from '../privacy/data-request.ts';
import { importChannel } from '../imports/begin.ts';
import { listChannels } from './list.ts';
import { listMarketplaces } from './marketplaces.ts';
import { publishToChannel, unpublishFromChannel } from './publish.ts';
import { setChannelProducts } from './set-products.ts';
import { setChannelStock } from './set-stock.ts';

/** What a token is refused with that does not decide. */
const deciding = ['not_human', 'client_not_approver', 'insufficient_scope', 'login_too_old'];

export function channelRoutes(guard: ReturnType<Identity['tenant']>, ports: ChannelPorts): Route[] {
  const rest = restOf({ guard, tag: 'Channels', ports });
  const decides = { demands: ports.decider.requireFor, errors: deciding };
  return [
    rest('GET', '/api/marketplaces', listMarketplaces, {
      summary: 'List marketplaces',
      description:
        'At which a shop can be connected, and the address at which a browser installs the app in one, by `shop` and `tenant` in its query. None: the operator has set up no app.',
      answers: { 200: 'The marketplaces.' },
    }),
    rest('GET', '/api/channels', listChannels, {
      summary: 'List channels',
      description: 'Shops at marketplaces that the organization sells in. No token is ever shown.',
      answers: { 200: 'A page of channels.' },
    }),
    rest('POST', '/api/channels', connectChannel, {
      summary: 'Connect a shop',
      description:
        'By the code on the page where the installation of the app ended. Needs a token that decides: the organization believes from then on what this shop says.',
      answers: { 201: 'The channel.' },
      ...decides,
    }),
    rest('POST', '/api/channels/:channelId/import', importChannel, {
      summary: 'Import a shop once more',
      description: 'Its products and open orders; `imports` of the channel says how far it is.',
      answers: { 200: 'The channel.' },
    }),
    rest('PUT', '/api/channels/:channelId/stock', setChannelStock, {
      summary: 'Keep stock in step with a shop',
      description:
        'Says which side counts: `here` or `shop`; the other follows, first with what it has now. Needs a token that decides. `none` ends it.',
      answers: { 200: 'The channel.' },
      ...decides,
    }),
    rest('PUT', '/api/channels/:channelId/products', setChannelProducts, {
      summary: 'Say which side describes products',
      description:
        '`here`: products are in the shop as they are described here. `shop`: they are here as the shop describes them. Needs a token that decides.',
      answers: { 200: 'The channel.' },
      ...decides,
    }),
    rest('POST', '/api/channels/:channelId/products/publish', publishToChannel, {
      summary: 'Offer products in a shop',
      description:
        'The shop is told within seconds; `productState` and `productsToLookAt` of the channel say how far it is.',
      answers: { 200: 'The channel.' },
    }),
    rest('POST', '/api/channels/:channelId/products/unpublish', unpublishFromChannel, {
      summary: 'Take products off a shop',
      description: 'They become drafts in the shop, and are never deleted there.',
      answers: { 200: 'The channel.' },
    }),
    rest('POST', '/api/channels/:channelId/data-requests/:requestId/answered', answerDataRequest, {
      summary: 'Note that a buyer was told what is known of them',
      description: 'For a person, once the buyer has the answer.',
      answers: { 200: 'The channel.' },
    }),
    rest('DELETE', '/api/channels/:channelId', disconnectChannel, {
      summary: 'Disconnect a shop',
      description: 'Needs a token that decides. Its token is erased; orders and products that were imported stay.',
      answers: { 200: 'The channel.' },
      ...decides,
    }),
  ];
}
