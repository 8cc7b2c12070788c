import { describe, expect, test } from 'bun:test'
import { bucketBy, variantOf } from '../../core/bucket/bucket'
import { sha256Head } from '../../core/bucket/sha256'
import { configure } from '../node'
import attributes from './attributes.json'
import bucketing from './bucketing.json'
import claims from './claims.json'
import events from './events.json'
import flags from './flags.json'
import identity from './identity.json'
import placements from './placements.json'
import purchases from './purchases.json'
import reads from './reads.json'
import { type CaseFile, runCase } from './run'
import transport from './transport.json'

const FILES = [attributes, claims, events, flags, identity, placements, purchases, reads, transport] as unknown[]

for (const { rule, cases } of FILES as CaseFile[])
  describe(rule, () => {
    for (const one of cases) test(one.name, async () => expect(await runCase(configure, one)).toBeNull())
  })

describe('bucketing', () => {
  for (const { id, salt, bucket } of bucketing.buckets)
    test(`${id} with ${salt} is ${bucket}`, () => expect(bucketBy(sha256Head)(id, salt)).toBe(bucket))
  for (const { weights, bucket, index } of bucketing.variants)
    test(`${bucket} of ${weights} is variant ${index}`, () => expect(variantOf(bucket, weights)).toBe(index))
})
