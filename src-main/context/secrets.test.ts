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
  '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA',
  'DB_PASSWORD=swordfish',
  'export OPENAI_API_KEY="abcd-efgh"',
  '{"clientSecret": "swordfish"}',
  'curl --api-key swordfish1 https://example.org',
  'the password is swordfish',
  'My password is swordfish and I like it',
  'password: correct horse battery staple',
  'The seed phrase is: apple river stone cloud lamp',
  'redis://:hunter2@cache:6379',
  'AWS_SECRET_ACCESS_KEY = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  'SG.abcdefghijklmnopqrst.abcdefghijklmnopqrstuvwx',
  'xapp-1-A012345-abcdef',
  'wifi-password is swordfish',
  'login: bob / pw: sommer2024',
  'export DB_PASS=letmein99',
  'SMTP_PASS="x9y8"',
  'curl -sS -u admin:hunter22 https://example.org/api',
  'the verification code is 493021',
  'Mein Passwort lautet Sommer2024!',
  'mot de passe : Soleil123',
  'mi contraseña es Perro2024',
  '密碼是 hunter2024',
  'パスワードはabc123です',
  'пароль: Весна2024',
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
  'The password is wrong.',
  'Your password is too short, and a passphrase is safer',
  'Password: at least 8 characters and one digit',
  'interface Login { password: string; secret?: boolean }',
  'const apiKey = process.env.OPENAI_API_KEY',
  'password = getpass()',
  'set max_tokens: 4096 and total tokens = 12',
  'The secret is in the sauce',
  'A secret of good bread is time and patience, so wait',
  'Where is the access key of the API documented?',
  '密码太短，请换一个',
  'All tests pass: 12 of 12',
  'docker run -u 1000:1000 image',
  'first pass: rename; second pass: split',
  'Das Passwort ist falsch.',
  'пароль забыт',
  'パスワードを忘れました',
  '密碼太短',
])('no secret: %s', (text) => {
  expect(withoutSecrets(text)).toBe(text)
})

test('only the secret goes, the rest of the sentence stays', () => {
  expect(withoutSecrets('I garden. The card 4111 1111 1111 1111 expires soon.')).toBe(
    'I garden. The card […] expires soon.',
  )
})
