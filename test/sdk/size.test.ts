import { beforeAll, describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { buildSdk, type ClientFiles } from '../../src/build-sdk'

let files: ClientFiles = {}
beforeAll(async () => {
  files = await buildSdk()
})

const packed = (name: string): number => gzipSync(files[name] ?? '', { level: 9 }).length

describe('the size of the client', () => {
  const LARGEST: Record<string, number> = { 'svc.js': 6144, 'core.js': 6144, 'react.js': 1536 }
  for (const [name, most] of Object.entries(LARGEST))
    test(`${name} is at most ${most} bytes with gzip -9`, () => {
      expect(packed(name)).toBeGreaterThan(400)
      expect(packed(name)).toBeLessThanOrEqual(most)
    })

  test('what is loaded later is at most 6,144 bytes, and imports nothing', () => {
    expect(packed('late.js')).toBeLessThanOrEqual(6144)
    expect(files['late.js']).not.toMatch(/\bimport\b/)
  })
})

test('the checkout is in none of the entries for apps', () => {
  for (const name of ['core.js', 'late.js', 'react-native.js', 'node.js', 'react.js'])
    expect(files[name], name).not.toContain('/billing-portal')
  expect(files['checkout.js']).toContain('/billing-portal')
})
