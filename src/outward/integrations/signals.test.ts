import { expect, test } from 'bun:test'
import { sha256Hex } from '../../base/lib/hash'
import { hashSignals, type PlainSignals } from './signals'

const cases: [signal: keyof PlainSignals, text: string, normal: string | null][] = [
  ['email', '  Ada@Example.COM ', 'ada@example.com'],
  ['email', 'ada+news@example.com', 'ada+news@example.com'],
  ['email', '   ', null],
  ['phone', '+49 (151) 234-567', '49151234567'],
  ['phone', '0151/234567', '0151234567'],
  ['phone', 'unknown', null],
  ['externalId', '  User_1 ', 'User_1'],
  ['externalId', '', null],
  ['firstName', ' ADA ', 'ada'],
  ['lastName', 'Öztürk', 'öztürk'],
  ['city', ' São Paulo', 'são paulo'],
  ['country', 'DE', 'de'],
]

test.each(cases)('%s %p is hashed as %p', (signal, text, normal) => {
  expect(hashSignals({ [signal]: text })[signal]).toBe(normal === null ? null : sha256Hex(normal))
})

test('the hash is that of the published example', () => {
  expect(hashSignals({ email: 'test@example.com' }).email).toBe(
    '973dfe463ec85785f5f95af5ba3906eedb2d931c24e69824a89ea65dba4e813b',
  )
})

test('what is absent or null is unknown', () => {
  const nothing = hashSignals({ email: null, phone: undefined })
  expect(new Set(Object.values(nothing))).toEqual(new Set([null]))
  expect(Object.keys(nothing)).toHaveLength(7)
})
