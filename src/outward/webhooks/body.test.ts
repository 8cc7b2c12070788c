import { expect, test } from 'bun:test'
import type { EventRow } from '../../people/events/feed'
import { MAX_BODY_BYTES, standardBody } from './body'

const EVENT: EventRow = {
  position: 3,
  id: 'evt_1',
  projectId: 'prj_1',
  subscriberId: 'sub_1',
  seq: 7,
  type: 'purchase.renewed',
  appUserId: 'user_1',
  environment: 'PRODUCTION',
  occurredAt: Date.UTC(2026, 10, 20, 8),
  recordedAt: Date.UTC(2026, 10, 20, 8, 0, 1, 310),
  cause: { kind: 'SWEEP', ref: null, store: null, detail: null },
  before: { access: {}, balances: {} },
  after: { access: { pro: { isActive: true } }, balances: {} },
  data: { reactivation: false, late: false },
}
const parsed = (event: EventRow) => JSON.parse(standardBody(event) ?? 'null')
const filled = (bytes: number) => ({ text: 'x'.repeat(bytes) })

test('the body has the members of the specification, in this order', () => {
  const body = parsed(EVENT)
  expect(Object.keys(body)).toEqual(['id', 'type', 'timestamp', 'projectId', 'subscriberId', 'seq', 'data'])
  expect(body).toMatchObject({ timestamp: '2026-11-20T08:00:00.000Z', seq: 7 })
  expect(Object.keys(body.data)).toEqual([
    ...['appUserId', 'environment', 'cause', 'before', 'after', 'reactivation', 'late'],
  ])
})

test('one event has one body, so that every attempt sends the same bytes', () =>
  expect(standardBody(structuredClone(EVENT))).toBe(standardBody(EVENT)))

test('a body over the hard limit loses before and keeps after', () => {
  const { data } = parsed({ ...EVENT, before: filled(MAX_BODY_BYTES) })
  expect(data).toMatchObject({ before: null, after: EVENT.after, truncated: ['before'] })
})

test('after goes only when before was not enough', () => {
  const { data } = parsed({ ...EVENT, before: filled(10), after: filled(MAX_BODY_BYTES) })
  expect(data).toMatchObject({ before: null, after: null, late: false, truncated: ['before', 'after'] })
})

test('the limit counts bytes and not characters', () => {
  const { data } = parsed({ ...EVENT, before: { text: 'é'.repeat(MAX_BODY_BYTES / 2) } })
  expect(data.before).toBeNull()
})

test('a body just below the limit is whole', () => {
  const { data } = parsed({ ...EVENT, before: filled(MAX_BODY_BYTES - 1000) })
  expect(data.before).not.toBeNull()
  expect(data).not.toHaveProperty('truncated')
})

test('an event that is too long by itself has no body', () =>
  expect(standardBody({ ...EVENT, data: filled(MAX_BODY_BYTES) })).toBeNull())
