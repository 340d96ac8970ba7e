import type { GraphModule } from '@steward/graphql';
import { doing, objectOf, taking } from '@steward/graphql/field';
import { pageType } from '../page-type.ts';
import { listRates } from './list.ts';
import { exchangeRate } from './rate.ts';
import { setRate } from './set.ts';

/** Exchange rates in the GraphQL API. */
export const rateGraph: GraphModule = (builder) => {
  const type = objectOf(builder, 'ExchangeRate', exchangeRate.answer, {
    description: 'What one unit of a currency is worth in the base currency from a day on.',
  });
  const page = pageType(builder, 'ExchangeRatePage', type);
  builder.queryFields((t) => ({
    exchangeRates: t.field({
      extensions: doing('service_list_exchange_rates'),
      type: page,
      description: 'The latest day first.',
      ...taking(builder, listRates.input, async (args, { tenant }) => listRates(tenant, args)),
    }),
  }));
  builder.mutationFields((t) => ({
    setExchangeRate: t.field({
      type,
      extensions: doing('service_set_exchange_rate'),
      ...taking(builder, setRate.input, async (args, { tenant }) => setRate(tenant, args), {
        members: { rate: 'Units of the base currency for one unit of the currency.' },
      }),
    }),
  }));
};
