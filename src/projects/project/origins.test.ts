import { expect, test } from 'bun:test'
import { normaliseOrigin, parseOrigin } from './origins'

const good: [given: string, saved: string][] = [
  ['https://app.example.com', 'https://app.example.com'],
  ['HTTPS://App.Example.com', 'https://app.example.com'],
  ['https://app.example.com:443', 'https://app.example.com'],
  ['http://localhost:5173', 'http://localhost:5173'],
  ['http://a.example:80', 'http://a.example'],
  ['https://a.example:80', 'https://a.example:80'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
  ['https://münchen.example', 'https://xn--mnchen-3ya.example'],
]
for (const [given, saved] of good)
  test(`${given} is saved as ${saved}`, () => expect(normaliseOrigin(given)).toBe(saved))

const bad = [
  '',
  '*',
  'app.example.com',
  'https://',
  'https://*.example.com',
  'https://a.example/',
  'https://a.example/x',
  'https://a.example?x',
  'https://a.example#x',
  'https://u@a.example',
  'https://u:p@a.example',
  'ftp://a.example',
  'https://a.example ',
  ' https://a.example',
  'https://a b.example',
  'https://a.example:99999',
  'https:\\\\a.example',
  'null',
  'https://%2a.example',
  `https://${'a'.repeat(260)}.example`,
]
for (const given of bad) test(`"${given.slice(0, 40)}" is no origin`, () => expect(parseOrigin(given)).toBeNull())

test('a refusal names the origin', () => {
  expect(() => normaliseOrigin('https://a.example/x')).toThrow(
    expect.objectContaining({ refusal: 'ORIGIN_INVALID', details: { origin: 'https://a.example/x' } }),
  )
})
