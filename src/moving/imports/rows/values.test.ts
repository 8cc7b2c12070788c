import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { toIsoOrNull } from '../../../base/lib/time'
import { readAttributes } from './attributes'
import { readDictionary, readNames, readPairs } from './dictionary'
import { readInstant } from './instants'
import { readBoolean, readMicros, readWhole } from './numbers'

describe('dates', () => {
  const read: [text: string, iso: string][] = [
    ['2026-11-20T08:00:00Z', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20 08:00:00', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20T08:00:00+02:00', '2026-11-20T06:00:00.000Z'],
    ['2026-11-20 08:00:00-0530', '2026-11-20T13:30:00.000Z'],
    ['2026-11-20 08:00:00+03', '2026-11-20T05:00:00.000Z'],
    ['2026-11-20 08:00:00 UTC', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20T08:00:00.123456789Z', '2026-11-20T08:00:00.123Z'],
    ['2026-11-20 08:00:00.5', '2026-11-20T08:00:00.500Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['1793491200', '2026-11-01T00:00:00.000Z'],
    ['1793491200.25', '2026-11-01T00:00:00.250Z'],
    ['1793491200000', '2026-11-01T00:00:00.000Z'],
    ['2024-02-29 23:59:59', '2024-02-29T23:59:59.000Z'],
    ['9999-12-31', '9999-12-31T00:00:00.000Z'],
  ]
  test.each(read)('%s', (text, iso) => expect(toIsoOrNull(readInstant(text))).toBe(iso))

  const refused = [
    ...['gestern', '31.12.2026', '12/31/2026', '2026-13-01', '2026-02-30', '2025-02-29', '2026-11-20T24:00:00Z'],
    ...['2026-11-20T08:60:00Z', '2026-11-20T08:00', '2026-11-20T08:00:00+25:00', '2026-11-20T08:00:00Zx', '20261120'],
    ...[
      '2026-1-1',
      '1969-12-31',
      '0000-00-00 00:00:00',
      '0',
      '-1793491200',
      '1.79E+12',
      '17934912000000',
      'NaN',
      '２０２６',
    ],
    ...['2026-11-20x08:00:00', '2026-11-20 8:00:00', '1970-01-01T00:00:00+01:00'],
  ]
  test.each(refused)('%s is none', (text) => expect(readInstant(text)).toBeNull())

  test('law: any instant is read back from its forms', () => {
    const property = fc.property(fc.integer({ min: 0, max: 253402300799999 }), (instant) => {
      const iso = new Date(instant).toISOString()
      expect(readInstant(iso)).toBe(instant)
      expect(readInstant(iso.replace('T', ' ').slice(0, 19))).toBe(Math.floor(instant / 1000) * 1000)
      expect(readInstant(iso.slice(0, 10))).toBe(Math.floor(instant / 86_400_000) * 86_400_000)
      if (instant >= 1e11 && instant < 1e13) expect(readInstant(String(instant))).toBe(instant)
    })
    fc.assert(property, { seed: 3, numRuns: 1000 })
  })
})

describe('prices', () => {
  const read: [text: string, currency: string | null, micros: number][] = [
    ['9.99', 'USD', 9_990_000],
    ['9,99', 'EUR', 9_990_000],
    ['12.990,00', 'HUF', 12_990_000_000],
    ['12,990.00', 'USD', 12_990_000_000],
    ['1,00,000.50', 'INR', 100_000_500_000],
    ["1'234.50", 'CHF', 1_234_500_000],
    ['1 234,50', 'SEK', 1_234_500_000],
    ['1\u00a0234,50', 'EUR', 1_234_500_000],
    ['1,500', 'JPY', 1_500_000_000],
    ['1,500', 'USD', 1_500_000_000],
    ['2,750', 'KWD', 2_750_000],
    ['2.750', 'KWD', 2_750_000],
    ['0,999', 'EUR', 999_000],
    ['1.500', 'USD', 1_500_000],
    ['1.234.567', 'IDR', 1_234_567_000_000],
    ['.5', 'USD', 500_000],
    ['0', null, 0],
    ['0.0000005', 'USD', 1],
    ['0.00000049', 'USD', 0],
    ['1500', 'JPY', 1_500_000_000],
  ]
  test.each(read)('%s %s', (text, currency, micros) => expect(readMicros(text, currency)).toBe(micros))

  const refused = [
    'neun',
    '-9.99',
    '9.99 USD',
    '$9.99',
    '1.2.3',
    '1,2,3',
    '1.29,00,1',
    '1e3',
    '',
    '.',
    ',',
    '9..9',
    '१२',
  ]
  test.each(refused)('"%s" is none', (text) => expect(readMicros(text, 'USD')).toBeNull())

  test('a price beyond what can be counted is none', () => {
    expect(readMicros('9007199254.740991', 'USD')).toBe(Number.MAX_SAFE_INTEGER)
    expect(readMicros('9007199254.740992', 'USD')).toBeNull()
  })
})

test('truth values and whole numbers', () => {
  expect(['true', 'TRUE', 't', '1', 'false', 'F', '0'].map(readBoolean)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ])
  expect(['yes', 'no', '2', 'wahr', ''].map(readBoolean)).toEqual([null, null, null, null, null])
  expect(['0', '12', '3.0', '1.5', '-1', '1e3', '1234567890'].map(readWhole)).toEqual([
    0,
    12,
    3,
    null,
    null,
    null,
    null,
  ])
})

describe('dictionaries', () => {
  test('JSON and the form with single quotes are read, and digits stay', () => {
    expect(readDictionary(`{'a': 'it\\'s', "b": 1.50, 'c': True, 'd': None, 'e': ['x', 2]}`)).toEqual({
      ...{ a: "it's", b: '1.50', c: 'true', d: null, e: ['x', '2'] },
    })
    expect(readDictionary('{"a":"\\u00e9\\n"}')).toEqual({ a: 'é\n' })
    expect(readDictionary('{}')).toEqual({})
  })

  const refused = [
    '{',
    '{"a"}',
    '{"a":}',
    '{a: 1}',
    '{"a":1,}',
    '{"a":1} x',
    '"a"',
    '1',
    'None',
    "{'a': 'b}",
    '{"a":nope}',
  ]
  test.each(refused)('%s is none', (text) => expect(readDictionary(text)).toBeNull())

  test('a very deep one is none', () => expect(readDictionary(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`)).toBeNull())

  test('pairs and lists of names', () => {
    expect(readPairs('tier:gold, plan : pro')).toEqual({ tier: 'gold', plan: 'pro' })
    expect(readPairs('gold')).toBeNull()
    for (const text of ['["a","b"]', "['a', 'b']", '{a,b}', 'a, b']) expect(readNames(text)).toEqual(['a', 'b'])
    expect(readNames('[]')).toEqual([])
    for (const text of ['[1', '[["a"]]', '{"a":1', 'a]']) expect(readNames(text)).toBeNull()
  })
})

describe('attributes', () => {
  test('of members with a value; null and empty ones are absent', () => {
    const text = '{"tier":{"value":"gold"},"old":{"value":null},"none":{"value":""},"$unknown":{"value":"x"}}'
    expect(readAttributes(text, 'VALUE_MEMBERS')).toEqual({ attributes: { tier: 'gold' } })
  })

  test('numbers and truth values become texts with the digits of the file', () => {
    expect(readAttributes('{"a":1.0,"b":true,"c":12345678901234567890}', 'PLAIN')).toEqual({
      attributes: { a: '1.0', b: 'true', c: '12345678901234567890' },
    })
  })

  const refused: [name: string, text: string, says: RegExp][] = [
    ['no object', '["a"]', /not a JSON object/],
    ['cut off', '{"tier": {"value": "gold"', /not a JSON object/],
    ['a key with a space', '{"my key":"x"}', /a key has 1 to 40/],
    ['a long key', `{"${'k'.repeat(41)}":"x"}`, /a key has 1 to 40/],
    ['a long value', `{"k":"${'x'.repeat(501)}"}`, /at most 500/],
    ['51 keys', JSON.stringify(Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 'x']))), /at most 50/],
  ]
  test.each(refused)('%s', (_name, text, says) => {
    const read = readAttributes(text, 'PLAIN')
    expect('fault' in read && read.fault).toMatch(says)
  })
})
