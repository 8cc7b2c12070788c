import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { applyAttributes, MAX_CUSTOM_KEYS, mergeAttributes } from './attributes'
import type { StoredAttributes } from './tables'

const NOW = Date.UTC(2026, 10, 20, 8)
const SEED = 20261120
const rules = { now: NOW, source: 'sdk', extraReservedKeys: false }

const stored = (values: Record<string, string>, source = 'sdk'): StoredAttributes =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value, source, updatedAt: 1 }]))

const many = (count: number, prefix = 'key'): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}_${index}`, 'x']))

const values = (attributes: StoredAttributes) =>
  Object.fromEntries(Object.entries(attributes).map(([key, { value }]) => [key, value]))

function applied(changes: Record<string, unknown>, before: StoredAttributes = {}, extra = {}): Record<string, string> {
  const result = applyAttributes(before, changes, { ...rules, ...extra })
  if (!result.ok) throw new Error(result.faults.join('; '))
  return values(result.attributes)
}

function faults(changes: Record<string, unknown>, before: StoredAttributes = {}, extra = {}): string[] {
  const result = applyAttributes(before, changes, { ...rules, ...extra })
  return result.ok ? [] : result.faults
}

const KEY_FAULT = 'a key has 1 to 40 letters, digits, _, . or -'

const good: [key: string, value: string][] = [
  ['a', ''],
  ['A-Z_0.9', 'x'.repeat(500)],
  ['x'.repeat(40), 'ü'.repeat(500)],
  ['mood', '\u{1f600}'.repeat(250)],
  ['__proto__', 'harmless'],
  ['constructor', 'harmless'],
  ['$email', 'a@b.co'],
  ['$email', `${'a'.repeat(249)}@b.co`],
  ['$phoneNumber', '1234567'],
  ['$phoneNumber', `${' '.repeat(493)}1234567`],
  ['$phoneNumber', '+123456789012345'],
  ['$phoneNumber', '+1 (555) 123-45 67'],
  ['$displayName', ''],
  ['$displayName', 'x'.repeat(500)],
  ['$apnsTokens', 'x'.repeat(500)],
  ['$fcmTokens', 'x'.repeat(500)],
]
for (const [key, value] of good)
  test(`${key.slice(0, 20)} takes ${value.slice(0, 20) || 'an empty text'} (${value.length})`, () => {
    expect(applied(Object.fromEntries([[key, value]]))).toEqual(Object.fromEntries([[key, value]]))
  })

const bad: [key: string, value: unknown, reason: string][] = [
  ['', 'x', KEY_FAULT],
  ['x'.repeat(41), 'x', KEY_FAULT],
  ['has space', 'x', KEY_FAULT],
  ['schlüssel', 'x', KEY_FAULT],
  ['a/b', 'x', KEY_FAULT],
  ['a\n', 'x', KEY_FAULT],
  [' $email', 'a@b.co', KEY_FAULT],
  ['$Email', 'a@b.co', 'is not a reserved key'],
  ['$', 'x', 'is not a reserved key'],
  ['$constructor', 'x', 'is not a reserved key'],
  ['$__proto__', 'x', 'is not a reserved key'],
  ['$idfa', 'x', 'is not a reserved key'],
  ['plan', 'x'.repeat(501), 'must have at most 500 characters'],
  ['plan', 7, 'must be a string or null'],
  ['plan', true, 'must be a string or null'],
  ['plan', undefined, 'must be a string or null'],
  ['plan', ['gold'], 'must be a string or null'],
  ['plan', { is: 'gold' }, 'must be a string or null'],
  ['$email', '', 'must be an e-mail address of at most 254 characters'],
  ['$email', 'a@b', 'must be an e-mail address of at most 254 characters'],
  ['$email', 'a b@c.co', 'must be an e-mail address of at most 254 characters'],
  ['$email', 'a@b@c.co', 'must be an e-mail address of at most 254 characters'],
  ['$email', `${'a'.repeat(250)}@b.co`, 'must be an e-mail address of at most 254 characters'],
  ['$phoneNumber', `${' '.repeat(494)}1234567`, 'must have at most 500 characters'],
  ['$phoneNumber', '123456', 'must be a phone number of 7 to 15 digits'],
  ['$phoneNumber', '1234567890123456', 'must be a phone number of 7 to 15 digits'],
  ['$phoneNumber', '123+4567', 'must be a phone number of 7 to 15 digits'],
  ['$phoneNumber', '555.123.4567', 'must be a phone number of 7 to 15 digits'],
  ['$phoneNumber', '\u0661\u0662\u0663\u0664\u0665\u0666\u0667', 'must be a phone number of 7 to 15 digits'],
  ['$displayName', 'x'.repeat(501), 'must have at most 500 characters'],
]
for (const [key, value, reason] of bad)
  test(`${JSON.stringify(key.slice(0, 20))} refuses ${String(JSON.stringify(value)).slice(0, 24)}`, () => {
    expect(faults(Object.fromEntries([[key, value]]))).toEqual([`${key}: ${reason}`])
  })

test('a malformed key is refused even where it only deletes', () => {
  expect(faults({ 'has space': null, $nothing: null })).toEqual([
    `has space: ${KEY_FAULT}`,
    '$nothing: is not a reserved key',
  ])
})

test('every bad key is named, in order, and the good ones are not', () => {
  expect(faults({ plan: 7, mood: 'good', $email: 'x', 'a b': 'x' })).toEqual([
    'plan: must be a string or null',
    '$email: must be an e-mail address of at most 254 characters',
    `a b: ${KEY_FAULT}`,
  ])
})

const EXTRA =
  '$mediaSource $campaign $adGroup $keyword $creative $ad $idfa $idfv $gpsAdId $attConsentStatus $appsflyerId $adjustId $firebaseAppInstanceId $mixpanelDistinctId $amplitudeDeviceId $amplitudeUserId'.split(
    ' ',
  )

test('the keys of attribution tools need the setting', () => {
  const changes = Object.fromEntries(EXTRA.map((key) => [key, 'x'.repeat(500)]))
  expect(faults(changes)).toEqual(EXTRA.map((key) => `${key}: is not a reserved key`))
  expect(applied(changes, {}, { extraReservedKeys: true })).toEqual(changes)
  expect(faults({ $idfa: 'x'.repeat(501), $other: 'x' }, {}, { extraReservedKeys: true })).toEqual([
    '$idfa: must have at most 500 characters',
    '$other: is not a reserved key',
  ])
})

test('50 custom keys fit, reserved ones apart; the 51st is refused with nothing changed', () => {
  const reserved = { $email: 'a@b.co', $displayName: 'Ada' }
  expect(Object.keys(applied({ ...many(50), ...reserved }))).toHaveLength(52)
  expect(faults({ ...many(51), ...reserved })).toEqual(['attributes: at most 50 custom keys, this would make 51'])
  expect(faults({ another: 'x' }, stored(many(50)))).toHaveLength(1)
})

test('the cap counts what stands after the merge: one may go as another comes, and any may change', () => {
  expect(Object.keys(applied({ key_0: null, another: 'x' }, stored(many(50))))).toHaveLength(50)
  expect(applied({ key_0: 'y' }, stored(many(50))).key_0).toBe('y')
  expect(faults({ key_0: null, one: 'x', two: 'x' }, stored(many(50)))).toHaveLength(1)
})

test('null deletes, and deleting what is not there is fine', () => {
  expect(applied({ plan: null, mood: null }, stored({ plan: 'gold', age: '7' }))).toEqual({ age: '7' })
})

test('source and time are those of the last change of the value', () => {
  const before = stored({ plan: 'gold', mood: 'good' }, 'import')
  const result = applyAttributes(before, { plan: 'gold', mood: 'bad', age: '7' }, { ...rules, source: 'api' })
  expect(result).toEqual({
    ok: true,
    attributes: {
      plan: { value: 'gold', source: 'import', updatedAt: 1 },
      mood: { value: 'bad', source: 'api', updatedAt: NOW },
      age: { value: '7', source: 'api', updatedAt: NOW },
    },
  })
})

test('what is stored is never changed in place', () => {
  const before = stored({ plan: 'gold' })
  applyAttributes(before, { plan: 'silver', mood: 'good' }, rules)
  mergeAttributes(before, stored({ mood: 'good' }))
  expect(before).toEqual(stored({ plan: 'gold' }))
})

test('a merge copies what the survivor lacks and keeps what it has', () => {
  const { attributes, copied } = mergeAttributes(
    stored({ plan: 'gold' }),
    stored({ plan: 'silver', mood: 'good', $email: 'a@b.co' }),
  )
  expect(values(attributes)).toEqual({ plan: 'gold', mood: 'good', $email: 'a@b.co' })
  expect(copied).toEqual(['mood', '$email'])
})

test('a merge stops at the cap, but for reserved keys', () => {
  const { attributes, copied } = mergeAttributes(
    stored(many(49)),
    stored({ ...many(3, 'other'), $email: 'a@b.co', $displayName: 'Ada' }),
  )
  expect(copied).toEqual(['other_0', '$email', '$displayName'])
  expect(Object.keys(attributes)).toHaveLength(52)
})

test('any two sets merge to at most 50 custom keys, and every value of the survivor stays', () => {
  const set = fc.dictionary(fc.stringMatching(/^\$?[a-z]{1,2}$/), fc.string({ maxLength: 3 }), { maxKeys: 60 })
  const property = fc.property(set, set, (mine, other) => {
    const survivor = stored(Object.fromEntries(Object.entries(mine).slice(0, MAX_CUSTOM_KEYS)))
    const { attributes, copied } = mergeAttributes(survivor, stored(other))
    expect(Object.keys(attributes).filter((key) => !key.startsWith('$')).length).toBeLessThanOrEqual(MAX_CUSTOM_KEYS)
    for (const [key, attribute] of Object.entries(survivor)) expect(attributes[key]).toEqual(attribute)
    for (const key of copied) expect(attributes[key]?.value).toBe(other[key] ?? '')
  })
  fc.assert(property, { seed: SEED })
})

test('any changes are taken wholly or refused wholly, and never throw', () => {
  const changes = fc.dictionary(fc.string({ maxLength: 5 }), fc.oneof(fc.string(), fc.constant(null), fc.anything()))
  const property = fc.property(changes, (given) => {
    const result = applyAttributes({}, given, rules)
    if (!result.ok) return expect(result.faults.length).toBeGreaterThan(0)
    const kept = Object.entries(given).filter(([, value]) => value !== null)
    expect(values(result.attributes)).toEqual(Object.fromEntries(kept) as Record<string, string>)
  })
  fc.assert(property, { seed: SEED, numRuns: 500 })
})
