import { expect, test } from 'bun:test'
import { authorizationTexts, redacted } from './redacted'

const SECRET = 'Zm9v+YmFy/cXV4"<x>=='

test('a secret is hidden in every spelling in which an answer may have it', () => {
  const spellings = [
    SECRET,
    JSON.stringify(SECRET),
    JSON.stringify(SECRET).replaceAll('/', '\\/'),
    JSON.stringify(SECRET).replaceAll('+', '\\u002B'),
    encodeURIComponent(SECRET),
    new URLSearchParams({ key: SECRET }).toString(),
    Bun.escapeHTML(SECRET),
  ]
  for (const spelling of spellings) expect(redacted(`you sent ${spelling}!`, [SECRET])).not.toContain('Zm9v')
})

test('a secret that contains another leaves nothing of itself', () => {
  expect(redacted('abcdefgh', ['abcd', 'abcdefgh'])).toBe('***')
})

test('what is shorter than four characters is no secret', () => {
  expect(redacted('a b c', ['a', ''])).toBe('a b c')
})

test('an answer that was cut in the middle of a secret does not end with its beginning', () => {
  for (let length = 4; length < SECRET.length; length++)
    expect(redacted(`so ${SECRET.slice(0, length)}`, [SECRET])).toBe('so ***')
  expect(redacted('so Zm9', [SECRET])).toBe('so Zm9')
})

test('of an authorization the part behind the scheme is a secret too', () => {
  expect(authorizationTexts('Bearer abcd')).toEqual(['Bearer abcd', 'abcd'])
  expect(authorizationTexts('abcd')).toEqual(['abcd', 'abcd'])
})
