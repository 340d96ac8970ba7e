import { operation } from '@steward/access';
import type { TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';
import type { LetterPorts } from '../ports.ts';
import { brandLetters, byBrand, letterSettingsOf, noBrand, presentSettings, selectLetterSettings } from './settings.ts';

/** @throws Problem `not_found` (404) */
export const getLetterSettings = operation(
  {
    ...reads,
    name: 'service_get_letter_settings',
    input: z.strictObject(byBrand),
    answer: brandLetters,
    errors: { not_found: 'brandId' },
  },
  async ({ context, read }, { brandId }, { brandName, addressing }: LetterPorts) => {
    if ((await brandName({ context, read }, brandId)) === undefined) throw noBrand();
    const [row] = await read(selectLetterSettings(context.tenant, brandId));
    return presentSettings(
      { context, query: read as TenantTransaction['query'] },
      brandId,
      letterSettingsOf(row),
      addressing,
    );
  },
);
