import type { ReactNode } from 'react';
import { numberFormat } from '../../data/formats.ts';
import { useRead } from '../../data/queries.ts';
import { Badge } from '../../parts/badge.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Day, Moment } from '../../parts/moment.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { Go } from '../../shell/go.tsx';
import { useLocale, useWords } from '../../words/language.ts';
import { chain } from './reads.ts';

/** Whether what happened is kept so that nobody can change it. */
export function Health(): ReactNode {
  const words = useWords().home;
  const locale = useLocale();
  const query = useRead(chain);
  return (
    <Section title={words.health} actions={<Go to="/activity">{words.wholeLog}</Go>}>
      <Loaded query={query} lines={3}>
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
              [words.events, head === null ? '0' : numberFormat(locale, {}).format(head.sequence)],
              [words.lastEvent, head === null ? null : <Moment at={head.received_at} ago />],
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
