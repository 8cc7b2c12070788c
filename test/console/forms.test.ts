import { expect, test } from 'bun:test'
import { type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { faultIn } from '../../src/console/lib/fault-words'
import { onceHeaders, randomKey } from '../../src/console/lib/use-once'
import { isReadable } from '../../src/console/screens/connections/imports/file-kinds'
import { changedCredentials, draftOf, type Integration } from '../../src/console/screens/connections/integrations/draft'
import { texts } from '../../src/console/text/en/common'

const { faults } = texts

test('a setting that alone is changed is sent without the saved secrets', () => {
  const saved = savedWith({ settings: { region: 'US' }, secrets: ['apiKey'] })
  const draft = draftOf(saved)
  const change = (values: object) =>
    changedCredentials('AMPLITUDE', { ...draft, values: { ...draft.values, ...values } }, saved)
  expect(draft.values).toEqual({ region: 'US' })
  expect(change({})).toBeNull()
  expect(change({ region: 'EU' })).toEqual({ region: 'EU' })
  expect(change({ apiKey: ' another ' })).toEqual({ apiKey: 'another', region: 'US' })
})

test('a saved secret is removed by null, unless another one is typed', () => {
  const settings = { iosAppId: 'abc123def456', eventTokens: { 'purchase.initial': 'aaa111' } }
  const saved = savedWith({ settings, secrets: ['iosKey'] })
  const draft = { ...draftOf(saved), removed: ['iosKey'] }
  expect(draft.values.eventTokens).toBe('purchase.initial = aaa111')
  expect(changedCredentials('ADJUST', draft, saved)).toEqual({ ...settings, iosKey: null })
  const typed = { ...draft, values: { ...draft.values, iosKey: 'new' } }
  expect(changedCredentials('ADJUST', typed, saved)).toEqual({ ...settings, iosKey: 'new' })
  const without = { ...draft, removed: [], values: { ...draft.values, iosAppId: '', androidAppId: 'x1' } }
  expect(changedCredentials('ADJUST', without, saved)).toEqual({
    androidAppId: 'x1',
    eventTokens: settings.eventTokens,
  })
})

test.each([
  ['people.csv', '', true],
  ['PEOPLE.CSV.GZ', '', true],
  ['export.zip', 'application/zip', true],
  ['people', 'text/csv', true],
  ['subscribers.jsonl', '', true],
  ['people.xlsx', 'application/vnd.ms-excel', false],
  ['photo.png', 'image/png', false],
])('%s of type %j can be imported: %p', (name, type, isTaken) => {
  expect(isReadable({ name, type })).toBe(isTaken)
})

test('a change that must happen once names itself and the revision', () => {
  const [one, another] = [randomKey(), randomKey()]
  expect(one).toMatch(/^console-[a-z0-9]{4,28}$/)
  expect(another).not.toBe(one)
  expect(onceHeaders(one, 7)).toEqual({ 'Idempotency-Key': one, 'If-Match': '"7"' })
})

test.each<[schema: TSchema, value: unknown, words: string]>([
  [Type.String({ minLength: 1 }), '', faults.missing],
  [Type.String({ minLength: 10 }), 'abc', faults.tooShort('10')],
  [Type.String({ maxLength: 3 }), 'abcd', faults.tooLong('3')],
  [Type.String({ pattern: '^a; b$' }), 'b', faults.form],
  [Type.Array(Type.String(), { minItems: 1 }), [], faults.chooseOne],
  [Type.Number({ minimum: 0.5 }), 0, faults.atLeast('0.5')],
  [Type.Integer({ maximum: 7 }), 8, faults.atMost('7')],
  [Type.Number({ exclusiveMinimum: 0 }), 0, faults.above('0')],
  [Type.Integer(), 1.5, faults.wholeNumber],
  [Type.Number(), 'x', faults.number],
])('what the schema %j says about %j is said in words', (schema, value, words) => {
  expect(faultIn(Value.Errors(schema, value).First()?.message ?? '', faults)).toBe(words)
})

test('a message that is no schema’s stays, and the place before the fault too', () => {
  expect(faultIn('This key is of live mode, not of test', faults)).toBe('This key is of live mode, not of test')
  expect(faultIn('rate: Expected number', faults)).toBe(`rate: ${faults.number}`)
})

const savedWith = (members: Pick<Integration, 'settings' | 'secrets'>): Integration => ({
  ...{ id: 'int_1', provider: 'ADJUST', hint: '…', enabledEvents: ['*'], eventMapping: {}, includeSandbox: false },
  ...{ isEnabled: true, lastError: null, lastSuccessAt: null, revision: 1, createdAt: '', updatedAt: '' },
  ...members,
})
