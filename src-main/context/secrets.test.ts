import { expect, test } from 'vitest'
import { holdsSecret, withoutSecrets } from './secrets'

test.each([
  'my password is hunter2',
  'Password for the router: swordfish',
  'the PIN is 4821',
  'api key = abc123',
  '密码是 abc123',
  '银行卡的支付密码：778899',
  'sk-abcdefghijklmnopqrstuvwx',
  'ghp_abcdefghijklmnopqrstuvwxyz0123',
  'AKIAABCDEFGHIJKLMNOP',
  'Bearer abcdefghijklmnop1234',
  'https://me:secret@host.example/path',
  'card 4111 1111 1111 1111',
  '4111-1111-1111-1111',
  'GB82 WEST 1234 5698 7654 32',
  '078-05-1120',
  '11010519491231002X',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc',
  'f3a9c1d2e4b5a6978877665544332211',
  '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----',
])('a secret: %s', (text) => {
  expect(holdsSecret(text)).toBe(true)
})

test.each([
  'I forgot my password again',
  '我总是忘记密码',
  'I was born on 1990-05-02 and call +49 30 1234567',
  'The order number is 1234567890',
  'I live in 10115 Berlin',
  'My favourite key is F minor; I pin notes to the wall',
  'See https://example.com/a/very/long/path/with-123-numbers/and/more',
])('no secret: %s', (text) => {
  expect(withoutSecrets(text)).toBe(text)
})

test('only the secret goes, the rest of the sentence stays', () => {
  expect(withoutSecrets('I garden. The card 4111 1111 1111 1111 expires soon.')).toBe(
    'I garden. The card […] expires soon.',
  )
})
