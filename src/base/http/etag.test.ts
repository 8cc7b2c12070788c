import { expect, test } from 'bun:test'
import { matchesEtag } from './etag'
import { readIfMatch } from './revision'

const OWN = '"0123abcd"'

test.each([
  OWN,
  `W/${OWN}`,
  '"0123abcd-gzip"',
  '"0123abcd--gzip"',
  '"0123abcd-br"',
  '"0123abcd;zstd"',
  'W/"0123abcd-gzip"',
  '"0123abcd"-gzip',
  '"x", W/"0123abcd-gzip"',
  '*',
])('If-None-Match %s names the tag', (given) => expect(matchesEtag(given, OWN)).toBe(true))

test.each([
  '',
  '"0123abcd-gzi"',
  '"0123abcd-gzip-gzip"',
  '"0123abc-gzip"',
  '"gzip"',
  '"-gzip"',
  '0123abcd',
  '0123abcd-gzip',
  'W/W/"0123abcd"',
])('If-None-Match %p does not', (given) => expect(matchesEtag(given, OWN)).toBe(false))

test('a tag of ours that ends like that of a proxy is still found', () =>
  expect(matchesEtag('"a-gzip"', '"a-gzip"')).toBe(true))

const ifMatch = (given: string) => readIfMatch(new Request('http://localhost', { headers: { 'if-match': given } }))

test.each(['"3"', 'W/"3"', '"3-gzip"', 'W/"3-br"', '"3"-gzip'])('If-Match %s is revision 3', (given) =>
  expect(ifMatch(given)).toBe(3),
)

test.each(['3', '"3-x"', '"x-gzip"', '"-gzip"', 'W/3', '"3", "4"', '"3-gzip-gzip"'])(
  'If-Match %s is refused',
  (given) => expect(() => ifMatch(given)).toThrow('one revision'),
)
