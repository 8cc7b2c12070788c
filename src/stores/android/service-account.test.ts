import { describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { readServiceAccount } from './service-account'

const pem = (
  key: { export(options: { type: 'pkcs8' | 'pkcs1'; format: 'pem' }): string | Buffer },
  type: 'pkcs8' | 'pkcs1' = 'pkcs8',
) => String(key.export({ type, format: 'pem' }))
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

const file = (members: Record<string, unknown> = {}) => ({
  type: 'service_account',
  client_email: 'svc@project.iam.gserviceaccount.com',
  private_key: pem(rsa),
  private_key_id: 'k1',
  token_uri: 'https://oauth2.googleapis.com/token',
  ...members,
})

test('reads a key file, as text and as object', () => {
  for (const input of [file(), JSON.stringify(file())]) {
    const result = readServiceAccount(input)
    expect(result).toMatchObject({
      ok: true,
      account: { clientEmail: 'svc@project.iam.gserviceaccount.com', keyId: 'k1' },
    })
    expect(result.ok && result.account.privateKey.asymmetricKeyType).toBe('rsa')
  }
})

test('needs neither key id nor token address', () =>
  expect(readServiceAccount(file({ private_key_id: undefined, token_uri: undefined }))).toMatchObject({
    ok: true,
    account: { keyId: null },
  }))

describe('refused', () => {
  const cases: [name: string, input: unknown, field: string, reason: string][] = [
    ['nothing', undefined, 'serviceAccount', 'unreadable'],
    ['no JSON', '{"client_email"', 'serviceAccount', 'unreadable'],
    ['a list', [file()], 'serviceAccount', 'unreadable'],
    ['a text without end', `"${'x'.repeat(40_000)}"`, 'serviceAccount', 'unreadable'],
    ['no address', file({ client_email: undefined }), 'client_email', 'missing'],
    ['an address that is a number', file({ client_email: 5 }), 'client_email', 'missing'],
    ['an address without host', file({ client_email: 'svc' }), 'client_email', 'unreadable'],
    ['an address with a line break', file({ client_email: 'svc@x\ny' }), 'client_email', 'unreadable'],
    ['no key', file({ private_key: undefined }), 'private_key', 'missing'],
    ['an empty key', file({ private_key: '' }), 'private_key', 'missing'],
    ['a key that is a word', file({ private_key: 'secret' }), 'private_key', 'unreadable'],
    ['a key with broken lines', file({ private_key: pem(rsa).replaceAll('\n', '\\n') }), 'private_key', 'unreadable'],
    ['a key cut short', file({ private_key: pem(rsa).slice(0, 400) }), 'private_key', 'unreadable'],
    ['a key in PKCS#1', file({ private_key: pem(rsa, 'pkcs1') }), 'private_key', 'unreadable'],
    ['a key of an elliptic curve', file({ private_key: pem(ec) }), 'private_key', 'wrong_key_type'],
    ['a key of 1024 bits', file({ private_key: pem(weak) }), 'private_key', 'wrong_key_type'],
    ['a token address that is none', file({ token_uri: 'oauth2' }), 'token_uri', 'unreadable'],
    ['a token address in a file', file({ token_uri: 'file:///etc/passwd' }), 'token_uri', 'unreadable'],
  ]
  for (const [name, input, field, reason] of cases)
    test(name, () => expect(readServiceAccount(input)).toEqual({ ok: false, field, reason } as never))
})

test('a refusal never repeats the key', () =>
  expect(JSON.stringify(readServiceAccount(file({ private_key: `${pem(ec)}` })))).not.toContain('PRIVATE KEY'))

test('whatever is uploaded, nothing is thrown', () => {
  const near = fc.record(
    { client_email: fc.anything(), private_key: fc.oneof(fc.string(), fc.anything()), token_uri: fc.anything() },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.string(), near), (input) => {
      expect(readServiceAccount(input).ok).toBe(false)
    }),
    { numRuns: 300 },
  )
})
