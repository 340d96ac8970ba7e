import { grammar as accounting } from '@steward/accounting';
import { grammar as approvals } from '@steward/approvals';
import { publish } from '@steward/bus';
import { grammar as commerce } from '@steward/commerce';
import { grammar as crm } from '@steward/crm';
import { withHouse, type House } from '../house.ts';
import type { CommandEnvironment } from '../instance.ts';

/** The instance's database for a command that erases people: what it records and announces is as the server does it. */
export const withPeople = async <T>(env: CommandEnvironment, use: (house: House) => Promise<T>): Promise<T> =>
  withHouse(env, use, { grammars: [accounting, approvals, commerce, crm], publish });
