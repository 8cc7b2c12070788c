import { expect, test } from 'bun:test'
import { issuedState } from './issued'

const NONE = { notAfter: null, issuer: null, nextAttemptAt: null, error: null }

test('a certificate that this server holds is issued, with its end and issuer', () => {
  const held = { ...NONE, status: 'VALID' as const, notAfter: Date.UTC(2027, 1, 1), issuer: 'Test CA' }
  expect(issuedState(held)).toEqual({
    ...NONE,
    status: 'ISSUED',
    notAfter: '2027-02-01T00:00:00.000Z',
    issuer: 'Test CA',
  })
})

test('one that is still waited for is pending, with the next attempt', () => {
  const waiting = { ...NONE, status: 'PENDING' as const, nextAttemptAt: 0 }
  expect(issuedState(waiting)).toEqual({ ...NONE, status: 'PENDING', nextAttemptAt: '1970-01-01T00:00:00.000Z' })
})

test('one that has ended is no certificate for visitors, and says so or why no new one came', () => {
  const ended = { ...NONE, status: 'EXPIRED' as const, notAfter: 0 }
  expect(issuedState(ended)).toMatchObject({
    status: 'FAILED',
    error: { code: 'other', detail: 'The certificate has expired' },
  })
  const error = { code: 'caa' as const, detail: 'a CAA record forbids this authority' }
  expect(issuedState({ ...ended, error })).toMatchObject({ status: 'FAILED', error })
})
