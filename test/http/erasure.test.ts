import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { compactVerify, createLocalJWKSet } from 'jose'
import { bucket } from '../../src/base/lib/bucket'
import { HOLDOUT_SALT } from '../../src/core/bucket/bucket'
import { verifyAudit } from '../../src/projects/audit/audit'
import { findTexts } from '../support/byte-search'
import { MONTHLY } from '../support/cast'
import { erase, textsOf } from '../support/erased'
import {
  type EverywherePerson,
  type EverywhereStage,
  everywhereStage,
  personEverywhere,
} from '../support/person-everywhere'

let s: EverywhereStage
let person: EverywherePerson
let other: EverywherePerson
let certificate: string
let attributeCount = 0
beforeAll(async () => {
  s = await everywhereStage()
  person = await personEverywhere(s, 'zanzibar')
  other = await personEverywhere(s, 'quetzal')
  await s.ctx.state.blobs.write('dsar/dsr_export.zip', new Response(`export of ${person.label}`).body as ReadableStream)
  const now = s.ctx.clock.now()
  await s.ctx.write((tx) =>
    tx.db.insert(tx.tables.dataRequests).values({
      ...{ id: 'dsr_export', projectId: s.project.id, subscriberId: person.ids[1] ?? '', type: 'EXPORT' },
      ...{ status: 'COMPLETED', requestedBy: person.email, artefactKey: 'dsar/dsr_export.zip' },
      ...{ createdAt: now, updatedAt: now },
    }),
  )
  expect(await findTexts(s.ctx, textsOf(person))).not.toEqual([])
  attributeCount = await countAttributes(person.ids)
  expect(attributeCount).toBeGreaterThan(2)
  certificate = await erase(s, person.ids[1] ?? '', 'dsr_erasure') // By the row that was merged away.
})
afterAll(() => s.close())

/** Attributes of every row of a person. */
async function countAttributes(ids: readonly string[]): Promise<number> {
  const rows = await s.ctx.db.select().from(s.ctx.tables.subscribers)
  const own = rows.filter(({ id }) => ids.includes(id))
  return own.reduce((sum, { attributes }) => sum + Object.keys(attributes).length, 0)
}

const countRows = () => s.ctx.db.$count(s.ctx.tables.subscribers)
const device = () => ({ headers: { 'x-svc-app-user-id': person.deviceKeys[0] } })
const secret = () => ({ key: s.project.secretKey })

describe('after an erasure', () => {
  test('no byte of the person is in any file or log line, and everybody else is still there', async () => {
    expect(await findTexts(s.ctx, textsOf(person))).toEqual([])
    expect(s.ctx.lines.join('\n')).not.toContain(`${person.tag}-`)
    expect(await findTexts(s.ctx, textsOf(other))).not.toEqual([])
    expect(await s.ctx.state.blobs.list('dsar/')).toEqual([])
  })

  // No answer has the bucket of a row, and a copy of the database has it.
  test('the bucket of the holdout is no more that of a device key of the person', async () => {
    const rows = await s.ctx.db.select().from(s.ctx.tables.subscribers)
    const buckets = rows.filter(({ id }) => person.ids.includes(id)).map(({ holdoutBucket }) => holdoutBucket)
    expect(buckets).toEqual(person.ids.map(() => bucket('', HOLDOUT_SALT)))
  })

  test('the certificate is signed with a listed key and names nobody', async () => {
    const { keys } = (await s.get('/.well-known/jwks.json', undefined, { key: null })).body
    const { payload, protectedHeader } = await compactVerify(certificate, createLocalJWKSet({ keys }))
    expect(protectedHeader).toMatchObject({ alg: 'EdDSA', typ: 'svc-erasure+jwt' })
    const text = new TextDecoder().decode(payload)
    for (const secretText of [person.tag, ...person.ids, person.accountToken]) expect(text).not.toContain(secretText)
    const claims = JSON.parse(text)
    expect(Object.keys(claims).sort()).toEqual(['aud', 'erasedAt', 'iat', 'jti', 'tables'])
    expect(claims).toMatchObject({ jti: 'dsr_erasure', aud: s.project.id })
    expect(claims.tables).toMatchObject({
      subscribers: { removed: 0, reduced: 2 },
      attributes: { removed: attributeCount, reduced: 0 },
      session_packs: { removed: 1, reduced: 0 },
      payment_customers: { removed: 1, reduced: 0 },
    })
    expect(claims.tables.events.reduced).toBeGreaterThan(5)
    await expect(compactVerify(`${certificate.slice(0, -6)}AAAAAA`, createLocalJWKSet({ keys }))).rejects.toThrow()
  })

  test('the certificate can be verified for years', async () => {
    const later = s.ctx.clock.now()
    s.ctx.clock.advance(9 * 365 * 86_400_000)
    const { keys } = (await s.get('/.well-known/jwks.json', undefined, { key: null })).body
    s.ctx.clock.set(later)
    await compactVerify(certificate, createLocalJWKSet({ keys }))
  })

  test('reads are of an empty subscriber, attributes are not changed, and no row is made', async () => {
    const before = await countRows()
    const me = await s.get('/v1/me', undefined, device())
    expect(me.status).toBe(200)
    expect(me.body.data).toMatchObject({ subscriber: { id: person.id, appUserId: null, attributes: {} }, access: {} })
    const saved = await s.post('/v1/me/attributes', { attributes: { note: 'again' } }, device())
    expect([saved.status, saved.body.data.subscriber.attributes]).toEqual([200, {}])
    for (const reference of [person.label, person.deviceKeys[1], person.id]) {
      const access = await s.get(`/v1/subscribers/${reference}/access`, undefined, secret())
      expect([access.status, access.body.data]).toEqual([200, { access: {} }])
    }
    expect(await countRows()).toBe(before)
  })

  const refused: [name: string, call: () => ReturnType<typeof s.post>][] = [
    ['identify of the device', () => s.post('/v1/identify', { deviceKey: person.deviceKeys[1], appUserId: 'new' })],
    ['identify as the label', () => s.post('/v1/identify', { deviceKey: 'svc_fresh', appUserId: person.label })],
    ['a receipt', () => s.receipt(person.deviceKeys[0], s.buy(MONTHLY, {}))],
  ]
  for (const [name, call] of refused)
    test(`${name} is refused`, async () => {
      const before = await countRows()
      const answer = await call()
      expect([answer.status, answer.body.error.code]).toEqual([409, 'SUBSCRIBER_UNRESOLVABLE'])
      expect(await countRows()).toBe(before)
    })

  test('of the events stay type, time and number; access ended with the cause ERASURE', async () => {
    const { body } = await s.get(`/v1/events?subscriberId=${person.id}&limit=1000`, undefined, secret())
    const events = body?.data?.items ?? []
    const last = events.at(-1)
    expect(last).toMatchObject({
      type: 'entitlement.revoked',
      appUserId: null,
      cause: { kind: 'ERASURE', ref: 'dsr_erasure' },
    })
    const ended = events.filter(({ cause }: { cause: { kind: string } }) => cause.kind === 'ERASURE')
    expect(new Set(ended.map(({ type }: { type: string }) => type))).toEqual(new Set(['entitlement.revoked']))
    for (const event of events.slice(0, -ended.length))
      expect(event).toMatchObject({
        appUserId: null,
        before: null,
        after: null,
        data: {},
        cause: { ref: null, detail: null },
      })
    const first = events[0].seq
    expect(events.map(({ seq }: { seq: number }) => seq)).toEqual(events.map((_: unknown, at: number) => first + at))
  })

  test('the audit log is a whole chain, and money keeps its rows', async () => {
    expect(await verifyAudit(s.ctx, s.project.id)).toMatchObject({ ok: true, firstBadId: null })
    const { ledger, transactions, purchases } = s.ctx.tables
    const own = await s.ctx.db.select().from(ledger)
    expect(own.filter(({ subscriberId }) => person.ids.includes(subscriberId)).length).toBeGreaterThan(1)
    for (const table of [transactions, purchases]) {
      const rows = await s.ctx.db.select({ id: table.subscriberId }).from(table)
      expect(rows.filter(({ id }) => person.ids.includes(id)).length).toBe(
        rows.filter(({ id }) => other.ids.includes(id)).length,
      )
    }
  })

  test('the ledger refuses every other change', async () => {
    const { ledger } = s.ctx.tables
    for (const change of [
      { amount: 99n },
      { description: 'other' },
      { subscriberId: 'sub_x' },
      { idempotencyKey: 'x' },
    ])
      await expect(s.ctx.write((tx) => tx.db.update(ledger).set(change))).rejects.toThrow()
  })

  test('a second erasure succeeds and finds nothing', async () => {
    const again = await erase(s, person.id, 'dsr_again')
    const claims = JSON.parse(Buffer.from(again.split('.')[1] ?? '', 'base64url').toString())
    for (const table of ['client_events', 'attributes']) expect(Object.keys(claims.tables)).not.toContain(table)
    expect(await findTexts(s.ctx, textsOf(person))).toEqual([])
  })
})
