import type { GraphModule } from '@steward/graphql';
import { doing, objectOf } from '@steward/graphql/field';
import { day, pageArguments, textArgument } from '../graph-arguments.ts';
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
      args: {
        currency: t.arg.string(),
        to: t.arg.string(),
        limit: t.arg.int({ defaultValue: 50 }),
        cursor: t.arg.string(),
      },
      resolve: async (_root, { currency, to, limit, cursor }, { tenant }) => {
        const filter = { currency: textArgument(currency), to: day(to) };
        return listRates(tenant, { ...filter, ...pageArguments({ limit, cursor }, 'place') });
      },
    }),
  }));
  builder.mutationFields((t) => ({
    setExchangeRate: t.field({
      type,
      extensions: doing('service_set_exchange_rate'),
      args: {
        currency: t.arg.string({ required: true }),
        day: t.arg.string({ required: true }),
        rate: t.arg.string({ required: true, description: 'Units of the base currency for one unit of the currency.' }),
      },
      resolve: async (_root, args, { tenant }) =>
        setRate(tenant, {
          currency: textArgument(args.currency) ?? '',
          day: day(args.day) ?? '',
          rate: textArgument(args.rate) ?? '',
        }),
    }),
  }));
};
