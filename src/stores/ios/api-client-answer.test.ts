import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { MINUTE, SECOND } from '../../base/lib/clock'
import { type Answer, type ApiResult, parseRetryAfter, readAnswer } from './api-client-answer'
import { TransactionInfo } from './api-client-shapes'

const NOW = Date.UTC(2026, 10, 20, 8)
const SEED = 20261120
const GOOD = '{"signedTransactionInfo":"a.b.c"}'

const read = (answer: Partial<Answer>): ApiResult<unknown> =>
  readAnswer({ status: 200, retryAfter: null, text: GOOD, ...answer }, TransactionInfo, NOW)

const rejected = (status: number, errorCode: number | null = null): ApiResult<unknown> => ({
  ok: false,
  kind: 'rejected',
  status,
  errorCode,
})
const UNAVAILABLE: ApiResult<unknown> = { ok: false, kind: 'unavailable' }

describe('an answer', () => {
  test('of the right shape is taken, with members unknown here', () => {
    expect(read({})).toEqual({ ok: true, value: { signedTransactionInfo: 'a.b.c' } })
    expect(read({ text: '{"signedTransactionInfo":"a.b.c","moon":1}' }).ok).toBe(true)
  })

  test('without a body is taken where none is expected', () => {
    for (const text of ['', 'Accepted', '{}'])
      expect(readAnswer({ status: 202, retryAfter: null, text }, null, NOW)).toEqual({ ok: true, value: null })
  })

  const cases: [name: string, answer: Partial<Answer>, result: ApiResult<unknown>][] = [
    ['200 that is no JSON', { text: '<html>' }, rejected(200)],
    ['200 without a body', { text: '' }, rejected(200)],
    ['200 cut short', { text: GOOD.slice(0, -2) }, rejected(200)],
    ['200 of another shape', { text: '{"signedTransactionInfo":7}' }, rejected(200)],
    ['200 with an empty token', { text: '{"signedTransactionInfo":""}' }, rejected(200)],
    ['200 that is a list', { text: '[]' }, rejected(200)],
    ['200 that is null', { text: 'null' }, rejected(200)],
    ['a redirect', { status: 302, text: '' }, rejected(302)],
    ['304', { status: 304, text: '' }, rejected(304)],
    ['400 with its code', { status: 400, text: '{"errorCode":4000006,"errorMessage":"m"}' }, rejected(400, 4000006)],
    ['400 without a code', { status: 400, text: '{}' }, rejected(400)],
    ['400 with a code as text', { status: 400, text: '{"errorCode":"4000006"}' }, rejected(400)],
    ['400 that is no JSON', { status: 400, text: 'Bad Request' }, rejected(400)],
    ['401 as the store answers it', { status: 401, text: 'Unauthenticated' }, rejected(401)],
    ['403', { status: 403, text: '{"errorCode":4030004}' }, rejected(403, 4030004)],
    ['404', { status: 404, text: '{"errorCode":4040010}' }, rejected(404, 4040010)],
    ['404 for now', { status: 404, text: '{"errorCode":4040006}' }, rejected(404, 4040006)],
    ['429', { status: 429, text: '{"errorCode":4290000}' }, UNAVAILABLE],
    ['429 with a wait', { status: 429, retryAfter: '30' }, { ok: false, kind: 'unavailable', retryAfter: 30 }],
    ['429 with a wait that cannot be read', { status: 429, retryAfter: 'soon' }, UNAVAILABLE],
    ['500 with its code', { status: 500, text: '{"errorCode":5000000}' }, UNAVAILABLE],
    ['500 that is no JSON', { status: 500, text: '<html>' }, UNAVAILABLE],
    ['503 with a wait', { status: 503, retryAfter: '5' }, { ok: false, kind: 'unavailable', retryAfter: 5 }],
    ['599', { status: 599, text: GOOD }, UNAVAILABLE],
  ]
  for (const [name, answer, result] of cases)
    test(`${name}: ${result.ok ? 'taken' : result.kind}`, () => {
      expect(read(answer)).toEqual(result)
    })

  test('of any text and status is judged without a throw', () => {
    const answers = fc.record({
      status: fc.integer({ min: 100, max: 599 }),
      retryAfter: fc.option(fc.string()),
      text: fc.oneof(fc.string(), fc.json()),
    })
    const property = fc.property(answers, (answer) => {
      const result = readAnswer(answer, TransactionInfo, NOW)
      if (result.ok) expect(answer.status).toBeWithin(200, 300)
      else if (result.kind === 'unavailable') expect(result.retryAfter ?? 1).toBeGreaterThanOrEqual(1)
    })
    fc.assert(property, { seed: SEED, numRuns: 1000 })
  })
})

describe('the wait that a store asks for', () => {
  const waits: [name: string, text: string | null, seconds: number | null][] = [
    ['none', null, null],
    ['seconds', '120', 120],
    ['seconds with blanks', ' 120 ', 120],
    ['no second', '0', 1],
    ['an instant in milliseconds, as this store writes it', String(NOW + 5 * MINUTE), 300],
    ['an instant within a second', String(NOW + 1), 1],
    ['an instant that has passed', String(NOW - MINUTE), 1],
    ['an instant and a part of a second', String(NOW + 1001), 2],
    ['a date', new Date(NOW + 90 * SECOND).toUTCString(), 90],
    ['a date that has passed', new Date(NOW - SECOND).toUTCString(), 1],
    ['a word', 'soon', null],
    ['nothing', '', null],
    ['a number below zero', '-5', null],
    ['a number of too many digits', '9'.repeat(30), null],
  ]
  for (const [name, text, seconds] of waits)
    test(`${name}: ${seconds}`, () => {
      expect(parseRetryAfter(text, NOW)).toBe(seconds)
    })
})
