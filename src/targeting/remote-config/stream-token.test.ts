import { expect, test } from 'bun:test'
import { MINUTE } from '../../base/lib/clock'
import { createMac } from '../../base/lib/mac'
import { readStreamToken, type StreamGrant, writeStreamToken } from './stream-token'

const mac = createMac(new Uint8Array(32).fill(7))
const grant: StreamGrant = {
  projectId: 'prj_1',
  keyId: 'key_1',
  presented: 'public',
  subscriber: 'svc_用户',
  env: 'STAGING',
}
const NOW = 1_793_000_000_000

test('a token stands for what it was written for, for ten minutes', () => {
  const token = writeStreamToken(mac, grant, NOW)
  expect(token).toMatch(/^[\w-]+\.[\w-]{43}$/)
  expect(readStreamToken(mac, token, NOW)).toEqual(grant)
  expect(readStreamToken(mac, token, NOW + 10 * MINUTE - 1)).toEqual(grant)
  expect(readStreamToken(mac, token, NOW + 10 * MINUTE)).toBeNull()
})

test('a token that was changed, cut, or signed elsewhere is none', () => {
  const token = writeStreamToken(mac, grant, NOW)
  const [body = '', signature = ''] = token.split('.')
  const other = Buffer.from(JSON.stringify(['prj_2', 'key_1', 'secret', 'svc_a', 'PROD', NOW * 2])).toString(
    'base64url',
  )
  const elsewhere = writeStreamToken(createMac(new Uint8Array(32).fill(8)), grant, NOW)
  const otherPurpose = `${body}.${mac.sign(body, 'another purpose')}`
  for (const forged of ['', '.', body, `${body}.`, `${other}.${signature}`, `${token}.x`, elsewhere, otherPurpose])
    expect(readStreamToken(mac, forged, NOW)).toBeNull()
})
