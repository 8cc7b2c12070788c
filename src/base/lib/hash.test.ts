import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { canonicalJson } from './hash'

test('canonical JSON is the JSON of the same value with every member in its place', () => {
  const plainly = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(plainly).join(',')}]`
    if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    const sorted = members.sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${sorted.map(([name, member]) => `${JSON.stringify(name)}:${plainly(member)}`).join(',')}}`
  }
  const values = fc.anything({
    key: fc.string({ unit: 'binary' }),
    values: [fc.string({ unit: 'binary' }), fc.double(), fc.constant(undefined), fc.boolean()],
  })
  fc.assert(
    fc.property(values, (value) => canonicalJson(value) === plainly(value)),
    { verbose: true },
  )
})

test('every character is written as JSON writes it', () => {
  for (let code = 0; code <= 0xffff; code++) {
    const text = `a${String.fromCharCode(code)}`
    if (canonicalJson(text) !== JSON.stringify(text))
      expect([code, canonicalJson(text)]).toEqual([code, JSON.stringify(text)])
  }
  expect(canonicalJson({ b: 1, a: ['\ud83d\ude00', '\ud83d'], 10: null, 9: undefined })).toBe(
    '{"10":null,"a":["😀","\\ud83d"],"b":1}',
  )
})
