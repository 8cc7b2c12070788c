import { expect, test } from 'bun:test'
import { SECTIONS } from '../../../test/support/sections'
import { projectFileSchema } from './file-schema'
import { parseProjectFile } from './parse'
import { isInValue } from './patch'
import type { Schema, Sources } from './reader'

const SOURCES: Sources = { env: () => null, file: () => null }
const { $defs, ...FILE } = projectFileSchema(SECTIONS)
const DEFINITIONS = $defs as Record<string, Schema>

interface Found {
  /** Members that may be null. A list ends the walk: a patch replaces it whole, with every null in it. */
  nullable: string[][]
  /** Places that hold any JSON. */
  free: string[][]
}

function walk(schema: Schema, path: string[], found: Found, within: readonly string[] = []): Found {
  const { $ref, type, anyOf, properties, additionalProperties, enum: values } = schema
  const name = typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? '') : null
  const inner = name === null ? undefined : DEFINITIONS[name]
  if (name !== null && inner && !within.includes(name)) walk(inner, path, found, [...within, name])
  if (type === 'null' || (Array.isArray(values) && values.includes(null))) found.nullable.push(path)
  const isOpen = type === 'object' && !properties && !additionalProperties
  if (isOpen || Object.keys(schema).every((key) => key === 'description')) found.free.push(path)
  for (const one of (anyOf ?? []) as Schema[]) walk(one, path, found, within)
  for (const [key, one] of Object.entries((properties ?? {}) as Record<string, Schema>))
    walk(one, [...path, key], found, within)
  if (typeof additionalProperties === 'object') walk(additionalProperties as Schema, [...path, 'x'], found, within)
  return found
}

const { nullable, free } = walk(FILE, [], { nullable: [], free: [] })

/** What is read of a file that has nothing but this member, or nothing at its place. */
function read(path: readonly string[], value: object): unknown {
  const nested = path.reduceRight<unknown>((rest, step) => ({ [step]: rest }), value)
  const parsed = parseProjectFile(SECTIONS, JSON.stringify({ version: 1, ...(nested as object) }), SOURCES)
  if ('unreadable' in parsed) throw new Error(`${path.join('.')} cannot be read`)
  const { wanted, problems } = parsed
  return { wanted: [...wanted], problems: problems.map((one) => [one.path, one.message]) }
}

const outside = nullable.filter((path) => !isInValue(path))

test.each([...new Set(outside.map((path) => path.join('.')))])(
  '%s means the same when it is null and absent',
  (text) => {
    const path = text.split('.')
    const [last = '', holder] = [path.at(-1), path.slice(0, -1)]
    expect(read(holder, { [last]: null })).toEqual(read(holder, {}))
  },
)

test('null has a meaning of its own in the values of which a patch says so, and nowhere else', () => {
  const places = free.filter((path) => !isInValue([...path, 'x'])).map((path) => path.join('.'))
  // A patch takes no secret, so none of these can be in it.
  expect([...new Set(places)].toSorted()).toEqual([
    'stores.android.serviceAccount',
    'stores.payment.accountId',
    'stores.payment.secretKey',
    'stores.payment.webhookSecret',
  ])
  expect(outside.length).toBeGreaterThan(80)
  for (const path of [
    ['flags', 'x', 'environments', 'PROD', 'default'],
    ['audiences', 'x', 'rules'],
    ['products', 'x', 'metadata'],
  ]) {
    expect([path, isInValue([...path, 'a']), isInValue(path)]).toEqual([path, true, false])
    expect(read(path, { a: null })).not.toEqual(read(path, {}))
  }
})
