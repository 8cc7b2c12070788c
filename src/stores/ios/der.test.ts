import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { forgeChains } from '../../../test/support/ios-forge'
import { INTERMEDIATE_MARKER, LEAF_MARKER } from './chain'
import { hasExtension } from './der'

const SEED = 20261120
const BASIC_CONSTRAINTS = '2.5.29.19'
const KEY_USAGE = '2.5.29.15'

const { good } = await forgeChains(Date.UTC(2026, 10, 20))
const [leaf, intermediate, root] = good.x5c.map((text) => new Uint8Array(Buffer.from(text, 'base64')))
if (!leaf || !intermediate || !root) throw new Error('the forged chain has three certificates')

const carried: [name: string, der: Uint8Array, oids: string[]][] = [
  ['leaf', leaf, [BASIC_CONSTRAINTS, KEY_USAGE, LEAF_MARKER]],
  ['intermediate', intermediate, [BASIC_CONSTRAINTS, KEY_USAGE, INTERMEDIATE_MARKER]],
  ['root', root, [BASIC_CONSTRAINTS, KEY_USAGE]],
]
for (const [name, der, oids] of carried)
  test(`the ${name} carries its extensions and no other`, () => {
    for (const oid of [
      BASIC_CONSTRAINTS,
      KEY_USAGE,
      LEAF_MARKER,
      INTERMEDIATE_MARKER,
      '2.5.29.1',
      '1.2.840.113635.100.6',
    ])
      expect(hasExtension(der, oid)).toBe(oids.includes(oid))
  })

test('an object id elsewhere in the certificate is no extension', () => {
  const SIGNATURE_ALGORITHM = '1.2.840.10045.4.3.3'
  const COMMON_NAME = '2.5.4.3'
  expect(hasExtension(leaf, SIGNATURE_ALGORITHM)).toBe(false)
  expect(hasExtension(leaf, COMMON_NAME)).toBe(false)
})

const ID = [0x06, 0x0a, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x63, 0x64, 0x06, 0x0b, 0x01]
const EMPTY = [0x04, 0x00]
const wrap = (tag: number, ...parts: number[][]): number[] => [tag, 0x81, parts.flat().length, ...parts.flat()]
const certificate = (extension: number[], listTag = 0xa3): number[] =>
  wrap(0x30, wrap(0x30, [0x02, 0x01, 0x07], wrap(listTag, wrap(0x30, extension))), EMPTY)

const handmade: [name: string, bytes: number[], isCarried: boolean][] = [
  ['the smallest certificate with the extension', certificate(wrap(0x30, ID, EMPTY)), true],
  ['an extension list under another tag', certificate(wrap(0x30, ID, EMPTY), 0xa2), false],
  ['the object id as value of another extension', certificate(wrap(0x30, [0x06, 0x01, 0x2a], ID)), false],
  ['the same bytes under another tag', certificate(wrap(0x30, [0x04, ...ID.slice(1)], EMPTY)), false],
  ['an object id that only begins so', certificate(wrap(0x30, [0x06, 0x0b, ...ID.slice(2), 0x01], EMPTY)), false],
  ['an indefinite length', certificate([0x30, 0x80, ...ID, ...Array(128 - ID.length).fill(0)]), false],
  ['a length of four bytes', certificate([0x30, 0x84, 0, 0, 0, ID.length, ...ID]), false],
  ['a tag of more bytes', certificate([0x3f, ID.length, ...ID]), false],
  ['nothing', [], false],
  ['one byte', [0x30], false],
  ['a length cut off', [0x30, 0x82, 0x01], false],
  ['a length past the end', [0x30, 0x05, 0x30, 0x00], false],
  ['only empty sequences', Array.from({ length: 1000 }, (_, index) => (index % 2 === 0 ? 0x30 : 0x00)), false],
]
for (const [name, bytes, isCarried] of handmade)
  test(`${name}: ${isCarried ? 'carried' : 'not carried'}`, () => {
    expect(hasExtension(Uint8Array.from(bytes), LEAF_MARKER)).toBe(isCarried)
  })

test('a certificate cut anywhere carries no extension', () => {
  for (let length = 0; length < leaf.length; length++)
    expect(hasExtension(leaf.subarray(0, length), LEAF_MARKER)).toBe(false)
})

test('random bytes throw nothing and carry no extension', () => {
  const property = fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
    expect(hasExtension(bytes, LEAF_MARKER)).toBe(false)
  })
  fc.assert(property, { seed: SEED, numRuns: 2000 })
})

test('a certificate with bytes changed is read to an end without a throw', () => {
  const change = fc.tuple(fc.nat(leaf.length - 1), fc.integer({ min: 0, max: 255 }))
  const property = fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
    const bytes = Uint8Array.from(leaf)
    for (const [at, value] of changes) bytes[at] = value
    expect([true, false]).toContain(hasExtension(bytes, LEAF_MARKER))
  })
  fc.assert(property, { seed: SEED, numRuns: 2000 })
})
