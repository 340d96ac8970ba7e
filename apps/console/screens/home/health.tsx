import type { ReactNode } from 'react';
import { useApi } from '../../data/queries.ts';
import { Badge } from '../../parts/badge.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Day, Moment } from '../../parts/moment.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { Go } from '../../shell/go.tsx';
import { useLocale, useWords } from '../../words/language.ts';

interface Chain {
  readonly head: { readonly sequence: number; readonly received_at: string } | null;
  readonly sealed_through: string | null;
}

/** Whether what happened is kept so that nobody can change it. */
export function Health(): ReactNode {
  const words = useWords().home;
  const locale = useLocale();
  const chain = useApi<Chain>('accounting', '/api/audit/chain');
  return (
    <Section title={words.health} actions={<Go to="/activity">{words.wholeLog}</Go>}>
      <Loaded query={chain} lines={3}>
        {({ head, sealed_through }) => (
          <Facts
            of={[
              [
                words.sealedThrough,
                sealed_through === null ? (
                  words.notSealed
                ) : (
                  <Badge tone="held">
                    <Day on={sealed_through} />
                  </Badge>
                ),
              ],
              [words.events, head === null ? '0' : new Intl.NumberFormat(locale).format(head.sequence)],
              [words.lastEvent, head === null ? null : <Moment at={head.received_at} ago />],
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
