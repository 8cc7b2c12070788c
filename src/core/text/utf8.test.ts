import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { utf8, utf8Length } from './utf8'

test('any text has the bytes that TextEncoder gives, halves of surrogate pairs included', () => {
  const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units))
  fc.assert(
    fc.property(fc.oneof(anyText, fc.string({ unit: 'binary' })), (text) => {
      const bytes = [...new TextEncoder().encode(text)]
      expect(utf8(text)).toEqual(bytes)
      expect(utf8Length(text)).toBe(bytes.length)
    }),
    { seed: 20261120, numRuns: 500 },
  )
})
