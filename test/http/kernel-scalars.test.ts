import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { canonicalJson } from '../../src/base/lib/hash'
import { createIds } from '../../src/base/lib/ids'
import { MAX_INSTANT, parseIso, toIso } from '../../src/base/lib/time'
import { NOW } from '../support/context'

const SEED = 20261120

describe('ids', () => {
  const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
  const idAt = (instant: number): string => createIds(() => instant).next('sub')

  /** The 128 bits of an id, as 32 hex characters. */
  const bitsOf = (id: string): string =>
    [...id.slice(4)]
      .reduce((sum, char) => sum * 32n + BigInt(ALPHABET.indexOf(char)), 0n)
      .toString(16)
      .padStart(32, '0')

  test('are a prefix and 26 characters of lower-case Crockford base32, the first of them 0 to 7', () => {
    for (let index = 0; index < 1000; index++) expect(idAt(NOW)).toMatch(/^sub_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  })

  test('encode a UUIDv7 of the moment, most significant bit first', () => {
    const law = (instant: number): void => {
      const bits = bitsOf(idAt(instant))
      expect(Number.parseInt(bits.slice(0, 12), 16)).toBe(instant)
      expect(bits[12]).toBe('7')
      expect('89ab').toContain(bits[16] ?? '')
    }
    fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), law), { seed: SEED, numRuns: 500 })
  })

  test('sort by the time of their making', () => {
    const law = (a: number, b: number): void => {
      if (a !== b) expect(idAt(a) < idAt(b)).toBe(a < b)
    }
    const instants = fc.integer({ min: 0, max: MAX_INSTANT })
    fc.assert(fc.property(instants, instants, law), { seed: SEED, numRuns: 500 })
  })

  test('of one millisecond differ', () => {
    const ids = createIds(() => NOW)
    expect(new Set(Array.from({ length: 10_000 }, () => ids.next('evt'))).size).toBe(10_000)
  })

  test('tokens use the whole alphabet and nothing else', () => {
    const token = createIds(() => NOW).token(20_000)
    expect(token).toMatch(/^[0-9A-Za-z]{20000}$/)
    expect(new Set(token).size).toBe(62)
  })
})

describe('times', () => {
  const read: [text: string, iso: string][] = [
    ['2026-11-20T08:00:00.000Z', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20T08:00:00Z', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20t08:00:00z', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20T08:00:00.1Z', '2026-11-20T08:00:00.100Z'],
    ['2026-11-20T08:00:00.123999999Z', '2026-11-20T08:00:00.123Z'],
    ['2026-11-20T08:00:00+01:00', '2026-11-20T07:00:00.000Z'],
    ['2026-11-20T00:30:00.5-09:30', '2026-11-20T10:00:00.500Z'],
    ['2026-11-20T08:00:00-00:00', '2026-11-20T08:00:00.000Z'],
    ['2028-02-29T23:59:59.999Z', '2028-02-29T23:59:59.999Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59.999Z'],
  ]
  for (const [text, iso] of read) test(`${text} is ${iso}`, () => expect(toIso(parseIso(text) ?? -1)).toBe(iso))

  test('that are none, or lie outside of 1970 to 9999, are refused', () => {
    for (const text of [
      '',
      '2026-11-20',
      '2026-11-20T08:00Z',
      '2026-11-20 08:00:00Z',
      '2026-11-20T08:00:00',
      '2026-11-20T08:00:00.Z',
      '2026-11-20T08:00:00.1234567890Z',
      '2026-11-20T08:00:00+0100',
      '2026-02-29T08:00:00Z',
      '2026-04-31T08:00:00Z',
      '2026-13-01T08:00:00Z',
      '2026-00-01T08:00:00Z',
      '2026-11-20T24:00:00Z',
      '2026-11-20T08:60:00Z',
      '2026-11-20T08:00:60Z',
      '2026-11-20T08:00:00+24:00',
      '2026-11-20T08:00:00+01:60',
      '1969-12-31T23:59:59.999Z',
      '1970-01-01T00:00:00+00:01',
      '9999-12-31T23:59:59-00:01',
      '+012026-11-20T08:00:00Z',
      ' 2026-11-20T08:00:00Z',
      '2026-11-20T08:00:00Z\n',
      '1795161600000',
    ])
      expect([text, parseIso(text)]).toEqual([text, null])
  })

  test('that are written are read back', () => {
    const law = (instant: number): void => expect(parseIso(toIso(instant))).toBe(instant)
    fc.assert(fc.property(fc.integer({ min: 0, max: MAX_INSTANT }), law), { seed: SEED, numRuns: 1000 })
  })
})

test('equal values have one canonical text, whatever the order of their members', () => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, member]) => [name, shuffled(member)]),
    )
  }
  const law = (value: unknown): void => {
    expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value))
    expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
  }
  fc.assert(fc.property(fc.jsonValue(), law), { seed: SEED, numRuns: 500 })
  expect(canonicalJson({ b: 1, a: [{ d: null, c: 'x' }] })).toBe('{"a":[{"c":"x","d":null}],"b":1}')
})
