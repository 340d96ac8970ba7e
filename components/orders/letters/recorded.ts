import { instantOf, type RecordedRows, rowOf } from '@steward/verification';
import { letterSettingsContents } from './settings.ts';

export const recordedLetters: readonly RecordedRows[] = [
  {
    what: 'settings of letters',
    types: ['commerce.letter_settings.changed'],
    held: `select s.tenant_id, s.brand_id::text as key, concat_ws(' ', 'version', s.version, s.updated_at, c.digest) as says
      from orders.letter_setting s join (${letterSettingsContents}) c on c.tenant_id = s.tenant_id and c.key = s.brand_id`,
    told: `select e.payload ->> 'brand_id' as key,
        concat_ws(' ', 'version', e.payload ->> 'version', ${instantOf('updated_at')}, e.payload ->> 'content_sha256') as says
      ${rowOf('orders.letter_setting', 'brand_id', `(e.payload ->> 'brand_id')::uuid`)}`,
  },
];
