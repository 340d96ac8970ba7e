import * as accounting from '@steward/accounting';
import { grammar as approvals } from '@steward/approvals';
import * as commerce from '@steward/commerce';
import * as crm from '@steward/crm';
import * as portal from '@steward/portal';
import * as studio from '@steward/studio';

/** What the components' events are held to. */
export const grammars = [portal.grammar, accounting.grammar, approvals, crm.grammar, studio.grammar, commerce.grammar];
