import { expect, test } from 'bun:test'
import { last4Of, signatureOf, toSecret } from './sign'

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
const MESSAGE = { id: 'evt_01', timestamp: 1774000000, body: '{"id":"evt_01","type":"purchase.renewed"}' }
const SIGNATURE = 'v1,sqw/USnK3YHmzWbG11Xg5QiEQylElWYKaKA1VW57L9A='

test('the vector of the specification', () => expect(signatureOf([SECRET], MESSAGE)).toBe(SIGNATURE))

test('a secret is whsec_ and the base64 of its bytes', () => {
  expect(toSecret(Uint8Array.from({ length: 32 }, (_, index) => index))).toBe(SECRET)
  expect(last4Of(SECRET)).toBe('Hh8=')
})

test('two secrets give two signatures, the newest first', () => {
  const other = toSecret(new Uint8Array(32))
  const both = signatureOf([other, SECRET], MESSAGE).split(' ')
  expect(both).toHaveLength(2)
  expect(both[1]).toBe(SIGNATURE)
  expect(both[0]).not.toBe(SIGNATURE)
})

test('id, time and body are all signed', () => {
  for (const change of [{ id: 'evt_02' }, { timestamp: 1774000001 }, { body: '{}' }])
    expect(signatureOf([SECRET], { ...MESSAGE, ...change })).not.toBe(SIGNATURE)
})

test('nothing is signed without a secret, or with one of another form', () => {
  expect(() => signatureOf([], MESSAGE)).toThrow('without a secret')
  for (const bad of ['', 'whsec_', 'sec_AAEC', 'AAECAwQFBgcI']) expect(() => signatureOf([bad], MESSAGE)).toThrow()
})
