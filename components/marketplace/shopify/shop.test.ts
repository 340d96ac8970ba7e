import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shopMeant } from './shop.ts';

test('a shop is known by its name, its address, and that of a page of its admin; a domain of its own says nothing', () => {
  for (const typed of [
    'fjord',
    ' Fjord ',
    'fjord.myshopify.com',
    'https://fjord.myshopify.com/admin/products?page=2',
    'FJORD.myshopify.com/',
    'https://admin.shopify.com/store/fjord',
    'admin.shopify.com/store/fjord/orders#top',
  ])
    assert.equal(shopMeant(typed), 'fjord.myshopify.com', typed);
  for (const typed of [
    '',
    '  ',
    'shop.example.com',
    'my shop',
    'https://evil.com/fjord.myshopify.com',
    'fjord.myshopify.com.evil.com',
    'fjord.myshopify.com@evil.com',
    'https://admin.shopify.com',
    'admin.shopify.com/store/',
    '-fjord',
    'x'.repeat(2_000),
  ])
    assert.equal(shopMeant(typed), undefined, typed);
});
