import { describe, expect, test } from 'bun:test'
import { readMetadata, writeMetadata } from './metadata'

const owner = { subscriberId: 'sub_1', deviceKey: 'svc_1', presentedContext: { placementId: 'home', revision: 4 } }
const nobody = { subscriberId: null, deviceKey: null, presentedContext: null }

test('what is written is read back', () => expect(readMetadata(writeMetadata(owner))).toEqual(owner))
test('what is not known is not written', () => expect(writeMetadata(nobody)).toEqual({}))
test('nothing written is nobody', () => expect(readMetadata({ color: 'blue' })).toEqual(nobody))

test('the names are those of the wire', () => {
  expect(writeMetadata(owner)).toEqual({
    svc_subscriber_id: 'sub_1',
    svc_device_key: 'svc_1',
    svc_presented_context: '{"placementId":"home","revision":4}',
  })
})

test('a context of 500 characters is kept, a longer one is left out', () => {
  const sized = (length: number) => ({ ...owner, presentedContext: { a: 'x'.repeat(length - '{"a":""}'.length) } })
  expect(writeMetadata(sized(500)).svc_presented_context).toHaveLength(500)
  expect(writeMetadata(sized(501))).toEqual({ svc_subscriber_id: 'sub_1', svc_device_key: 'svc_1' })
})

describe('a context that the seller has changed', () => {
  for (const text of ['', '{', 'null', '7', '[]', '"home"', '{"a":"\\u0000"}', '{"a":"\\ud800"}'])
    test(JSON.stringify(text), () => expect(readMetadata({ svc_presented_context: text }).presentedContext).toBeNull())
})
