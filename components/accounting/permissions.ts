import { permit, roles } from '@steward/kernel';

export const readBooks = permit('books.read', [...roles, 'platform']);
