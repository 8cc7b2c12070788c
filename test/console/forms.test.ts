import { expect, test } from 'bun:test'
import { onceHeaders, randomKey } from '../../src/console/lib/once-key'
import { isReadable } from '../../src/console/screens/connections/imports/file-kinds'
import { draftOf, hasCredentials } from '../../src/console/screens/connections/integrations/draft'

test('a region that alone is chosen is sent, and none is chosen before', () => {
  const saved = { enabledEvents: ['*'], eventMapping: {}, includeSandbox: false } as Parameters<typeof draftOf>[0]
  const { values } = draftOf(saved)
  expect(hasCredentials('AMPLITUDE', values)).toBe(false)
  expect(hasCredentials('AMPLITUDE', { ...values, region: 'EU' })).toBe(true)
  expect(hasCredentials('ITERABLE', { ...values, endpoint: 'https://api.eu.iterable.com' })).toBe(true)
})

test.each([
  ['people.csv', '', true],
  ['PEOPLE.CSV.GZ', '', true],
  ['export.zip', 'application/zip', true],
  ['people', 'text/csv', true],
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
