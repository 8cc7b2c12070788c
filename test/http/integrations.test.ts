import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { ADJUST_KEYS } from '../support/integrations/adjust'
import { AMPLITUDE_KEY } from '../support/integrations/amplitude'
import { FIREBASE_ID, FIREBASE_SECRET } from '../support/integrations/firebase'
import { MIXPANEL_TOKEN } from '../support/integrations/mixpanel'
import {
  AMPLITUDE_BODY,
  type IntegrationStage,
  integrationStage,
  META_BODY,
  TIKTOK_BODY,
} from '../support/integrations/stage'

let i: IntegrationStage
beforeAll(async () => {
  i = await integrationStage()
})
afterAll(() => i.close())

const admin = () => i.team.as('ADMIN')

const rows = () => i.s.ctx.db.select().from(i.s.ctx.tables.integrations)

async function connected(): Promise<string> {
  const { body } = await admin().post('/integrations', AMPLITUDE_BODY)
  return body.data.id
}

const removed = async (id: string) => expect((await admin().delete(`/integrations/${id}`)).status).toBe(200)

describe('connecting', () => {
  test('asks the provider, saves, and shows only the end of the key', async () => {
    const { status, body } = await admin().post('/integrations', AMPLITUDE_BODY)
    expect(status).toBe(201)
    expect(body.data).toEqual({
      ...{ id: body.data.id, provider: 'AMPLITUDE', hint: '…0001', enabledEvents: ['*'], eventMapping: {} },
      ...{ settings: { region: 'US' }, secrets: ['apiKey'] },
      ...{ includeSandbox: false, isEnabled: true, lastError: null, lastSuccessAt: null, revision: 1 },
      ...{ createdAt: body.data.createdAt, updatedAt: body.data.createdAt },
    })
    expect(body.data.id).toMatch(/^int_[0-9a-z]{26}$/)
    const listed = await i.team.as('CUSTOMER_SUPPORT').get('/integrations')
    expect(listed.body.data).toEqual({ items: [body.data], nextCursor: null })
    expect(JSON.stringify([listed.body, await rows()])).not.toContain(AMPLITUDE_KEY)
    await removed(body.data.id)
  })

  test('a second connection of the provider is refused', async () => {
    const id = await connected()
    const calls = i.server.calls.length
    const { status, body } = await admin().post('/integrations', AMPLITUDE_BODY)
    expect([status, body.error.code]).toEqual([409, 'INTEGRATION_ALREADY_CONNECTED'])
    expect(i.server.calls.length).toBe(calls)
    await removed(id)
  })

  test('two connections at once leave one', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => admin().post('/integrations', AMPLITUDE_BODY)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(await rows()).toHaveLength(1)
    await removed(answers.find(({ status }) => status === 201)?.body.data.id)
  })

  test('credentials that the provider refuses are not saved', async () => {
    const credentials = { apiKey: 'another-key-entirely', region: 'US' }
    const { status, body } = await admin().post('/integrations', { ...AMPLITUDE_BODY, credentials })
    expect([status, body.error.code, body.error.details]).toEqual([
      400,
      'INTEGRATION_CREDENTIALS_REJECTED',
      { reason: 'unauthorized' },
    ])
    expect(JSON.stringify(body)).not.toContain('another-key-entirely')
    expect(await rows()).toEqual([])
  })

  test('a provider that is down leaves nothing behind', async () => {
    i.server.answerNext('amplitude', { status: 503, body: 'down' })
    const { status, body } = await admin().post('/integrations', AMPLITUDE_BODY)
    expect([status, body.error.details]).toEqual([400, { reason: 'unreachable' }])
    expect(await rows()).toEqual([])
  })

  const wrong: [name: string, change: object][] = [
    ['an unknown provider', { provider: 'NOBODY' }],
    ['a provider that is no text', { provider: 5 }],
    ['missing credentials', { credentials: undefined }],
    ['a missing member of the credentials', { credentials: { apiKey: AMPLITUDE_KEY } }],
    ['an unknown member of the credentials', { credentials: { ...AMPLITUDE_BODY.credentials, more: 1 } }],
    ['a number in the place of a key', { credentials: { apiKey: 5, region: 'US' } }],
    ['an unknown region', { credentials: { apiKey: AMPLITUDE_KEY, region: 'MOON' } }],
    ['missing events', { enabledEvents: undefined }],
    ['events that are no list', { enabledEvents: '*' }],
    ['an unknown event', { enabledEvents: ['purchase.sold'] }],
    ['a pattern in the middle', { enabledEvents: ['*.renewed'] }],
    ['an empty name', { eventMapping: { level_up: '' } }],
    ['a blank name', { eventMapping: { level_up: '  ' } }],
    ['a name with a line break', { eventMapping: { level_up: 'a\nb' } }],
    ['a name that is no text', { eventMapping: { level_up: 5 } }],
    ['a text for a switch', { includeSandbox: 'yes' }],
    ['an unknown member', { colour: 'red' }],
  ]
  test.each(wrong)('%s is refused', async (_name, change) => {
    const calls = i.server.calls.length
    const { status, body } = await admin().post('/integrations', { ...AMPLITUDE_BODY, ...change })
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(i.server.calls.length).toBe(calls)
    expect(await rows()).toEqual([])
  })

  test('without a master key nothing can be connected, and nobody is asked', async () => {
    const bare = await integrationStage({ SVC_MASTER_KEY: 'off' })
    const { status, body } = await bare.team.as('ADMIN').post('/integrations', AMPLITUDE_BODY)
    expect([status, body.error.code]).toEqual([503, 'FEATURE_NOT_CONFIGURED'])
    expect(body.error.details).toEqual({ feature: 'credential_encryption' })
    expect(bare.server.calls).toEqual([])
    await bare.close()
  })
})

describe('checking credentials', () => {
  test('good ones are ok, and nothing is saved', async () => {
    const { credentials, provider } = AMPLITUDE_BODY
    const { status, body } = await i.team.as('DEVELOPER').post('/integrations/validate', { provider, credentials })
    expect([status, body]).toEqual([200, { data: { ok: true } }])
    expect(await rows()).toEqual([])
  })

  test('bad ones are refused with the reason', async () => {
    const body = { provider: 'AMPLITUDE', credentials: { apiKey: 'nobody-knows-this', region: 'EU' } }
    const answer = await i.team.as('DEVELOPER').post('/integrations/validate', body)
    expect([answer.status, answer.body.error.details]).toEqual([400, { reason: 'unauthorized' }])
  })

  test('20 a minute for one person', async () => {
    i.s.ctx.clock.advance(MINUTE)
    const ask = () => i.team.as('OWNER').post('/integrations/validate', { provider: 'X', credentials: {} })
    const statuses = await Promise.all(Array.from({ length: 20 }, ask)).then((all) => all.map(({ status }) => status))
    expect(new Set(statuses)).toEqual(new Set([400]))
    const { provider, credentials } = AMPLITUDE_BODY
    const good = () => i.team.as('OWNER').post('/integrations/validate', { provider, credentials })
    const allowed = await Promise.all(Array.from({ length: 20 }, good))
    expect(new Set(allowed.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await good()).body.error.code).toBe('RATE_LIMITED')
    i.s.ctx.clock.advance(MINUTE)
    expect((await good()).status).toBe(200)
  })
})

describe('changing', () => {
  test('members that are left out stay', async () => {
    const id = await connected()
    const change = { enabledEvents: ['purchase.*'], eventMapping: { level_up: 'Level up' }, includeSandbox: true }
    const { status, body } = await admin().patch(`/integrations/${id}`, change)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ ...change, hint: '…0001', isEnabled: true, revision: 2 })
    const again = await admin().patch(`/integrations/${id}`, change)
    expect(again.body.data.revision).toBe(2)
    await removed(id)
  })

  test('new credentials are asked for first; refused ones change nothing', async () => {
    const id = await connected()
    const before = await rows()
    const refused = await admin().patch(`/integrations/${id}`, {
      credentials: { apiKey: 'unknown-key-999', region: 'US' },
      includeSandbox: true,
    })
    expect(refused.body.error.code).toBe('INTEGRATION_CREDENTIALS_REJECTED')
    expect(await rows()).toEqual(before)
    const same = await admin().patch(`/integrations/${id}`, { credentials: AMPLITUDE_BODY.credentials })
    expect([same.status, same.body.data.revision]).toEqual([200, 1])
    const moved = await admin().patch(`/integrations/${id}`, {
      credentials: { ...AMPLITUDE_BODY.credentials, region: 'EU' },
    })
    expect([moved.status, moved.body.data.revision]).toEqual([200, 2])
    await removed(id)
  })

  test('a secret that is left out stays, and the provider is asked about it with the new settings', async () => {
    const id = await connected()
    const calls = i.server.calls.length
    const moved = await admin().patch(`/integrations/${id}`, { credentials: { region: 'EU' } })
    expect([moved.status, moved.body.data.revision]).toEqual([200, 2])
    expect(moved.body.data).toMatchObject({ hint: '…0001', settings: { region: 'EU' }, secrets: ['apiKey'] })
    expect(JSON.stringify(moved.body)).not.toContain(AMPLITUDE_KEY)
    expect(i.server.calls.slice(calls).map(({ body }) => JSON.parse(body).api_key)).toEqual([AMPLITUDE_KEY])
    const again = await admin().patch(`/integrations/${id}`, { credentials: { region: 'EU' } })
    expect(again.body.data.revision).toBe(2)
    const listed = await i.team.as('CUSTOMER_SUPPORT').get('/integrations')
    expect(listed.body.data.items).toEqual([moved.body.data])
    for (const credentials of [{}, { region: 'MOON' }, { region: null }, { region: 'US', apiKey: null }])
      expect((await admin().patch(`/integrations/${id}`, { credentials })).body.error.code).toBe('VALIDATION_ERROR')
    await removed(id)
  })

  test('null removes a secret that is optional; what is left out of the settings is gone', async () => {
    const both = { ...ADJUST_KEYS, androidKey: 'adjust-android-s2s-token' }
    const { body } = await admin().post('/integrations', { ...AMPLITUDE_BODY, provider: 'ADJUST', credentials: both })
    const { iosKey, androidKey, ...settings } = both
    const { id } = body.data
    expect(body.data).toMatchObject({ settings, secrets: ['iosKey', 'androidKey'] })
    const change = (credentials: object) => admin().patch(`/integrations/${id}`, { credentials })
    const without = await change({ ...settings, androidKey: null })
    expect(without.body.data).toMatchObject({ settings, secrets: ['iosKey'] })
    const { androidAppId, ...iosOnly } = settings
    expect((await change(iosOnly)).body.data).toMatchObject({ settings: iosOnly, secrets: ['iosKey'] })
    const { iosAppId, ...androidOnly } = settings
    expect((await change(androidOnly)).body.error.details).toEqual({ reason: 'incomplete_app' })
    const shown = JSON.stringify(await admin().get('/integrations'))
    for (const secret of [iosKey, androidKey]) expect(shown).not.toContain(secret)
    await removed(id)
  })

  test('a secret that is changed while the provider is asked is not taken back by a change of the settings', async () => {
    const id = await connected()
    const accepted = { status: 400, body: '{"missing_field":"events"}' }
    const rekeyed = async () => {
      const credentials = { apiKey: 'another-amplitude-key-0002', region: 'US' }
      expect((await admin().patch(`/integrations/${id}`, { credentials })).status).toBe(200)
      return accepted
    }
    i.server.answerNext('amplitude', rekeyed, accepted)
    const moved = await admin().patch(`/integrations/${id}`, { credentials: { region: 'EU' } })
    expect([moved.status, moved.body.error?.code]).toEqual([409, 'CONFLICT'])
    const [left] = (await admin().get('/integrations')).body.data.items
    expect(left).toMatchObject({ hint: '…0002', settings: { region: 'US' }, revision: 2 })
    await removed(id)
  })

  test('a change of settings asks the provider nothing', async () => {
    const id = await connected()
    const calls = i.server.calls.length
    await admin().patch(`/integrations/${id}`, { isEnabled: false })
    expect(i.server.calls.length).toBe(calls)
    await removed(id)
  })

  test('the provider cannot be changed', async () => {
    const id = await connected()
    const { status } = await admin().patch(`/integrations/${id}`, { provider: 'MIXPANEL' })
    expect(status).toBe(400)
    await removed(id)
  })

  test('an older revision is refused', async () => {
    const id = await connected()
    await admin().patch(`/integrations/${id}`, { includeSandbox: true })
    const stale = { headers: { 'if-match': '"1"' } }
    const changed = await admin().patch(`/integrations/${id}`, { includeSandbox: false }, stale)
    expect([changed.status, changed.body.error.code]).toEqual([409, 'CONFLICT'])
    expect((await admin().delete(`/integrations/${id}`, stale)).status).toBe(409)
    await removed(id)
  })

  test('a deleted one is gone, and the second deletion finds nothing', async () => {
    const id = await connected()
    await removed(id)
    expect((await admin().delete(`/integrations/${id}`)).status).toBe(404)
    expect((await admin().patch(`/integrations/${id}`, { isEnabled: false })).status).toBe(404)
    expect(await rows()).toEqual([])
    const targets = await i.s.ctx.db.select().from(i.s.ctx.tables.deliveryTargets)
    expect(targets).toEqual([])
  })

  test('ids of another project, and damaged ones, are not found', async () => {
    const id = await connected()
    await i.s.ctx.db.update(i.s.ctx.tables.integrations).set({ projectId: i.s.other.id })
    for (const each of [id, 'int_nothing', '%00', `${id}x`]) {
      expect((await admin().patch(`/integrations/${each}`, { isEnabled: false })).status).toBe(404)
      expect((await admin().delete(`/integrations/${each}`)).status).toBe(404)
      expect((await admin().get(`/integrations/${each}/deliveries`)).status).toBe(404)
      expect((await admin().post(`/integrations/${each}/test`)).status).toBe(404)
      expect((await admin().post(`/integrations/${each}/backfill`, { days: 1 })).status).toBe(404)
      expect((await admin().post(`/integration-deliveries/${each}/redeliver`)).status).toBe(404)
    }
    await i.s.ctx.db.update(i.s.ctx.tables.integrations).set({ projectId: i.s.project.id })
    await removed(id)
  })
})

test('the audit log names the connection and never its credentials', async () => {
  const id = await connected()
  await admin().patch(`/integrations/${id}`, { credentials: { ...AMPLITUDE_BODY.credentials, region: 'EU' } })
  await removed(id)
  const log = await i.s.ctx.db.select().from(i.s.ctx.tables.auditLog).orderBy(i.s.ctx.tables.auditLog.position)
  const own = log.filter(({ target }) => target.id === id)
  expect(own.map(({ action }) => action)).toEqual(['integration.create', 'integration.update', 'integration.delete'])
  expect(own[1]).toMatchObject({ before: { credentials: '(saved)' }, after: { credentials: '(new)' } })
  expect(JSON.stringify(log)).not.toContain(AMPLITUDE_KEY)
})

/** Good credentials of every provider of this slice, and those that its stand-in refuses. */
const PROBED: [provider: string, good: object, bad: object, reason: string][] = [
  ['META_CAPI', META_BODY.credentials, { ...META_BODY.credentials, accessToken: 'wrong' }, 'unauthorized'],
  ['META_CAPI', META_BODY.credentials, { ...META_BODY.credentials, pixelId: '99999999' }, 'not_found'],
  ['TIKTOK_EVENTS', TIKTOK_BODY.credentials, { ...TIKTOK_BODY.credentials, accessToken: 'wrong' }, 'unauthorized'],
  ['MIXPANEL', { projectToken: MIXPANEL_TOKEN, region: 'IN' }, { projectToken: 'wrong', region: 'US' }, 'unauthorized'],
  [
    'FIREBASE',
    { measurementId: FIREBASE_ID, apiSecret: FIREBASE_SECRET },
    { measurementId: 'G-OTHER0001', apiSecret: FIREBASE_SECRET },
    'refused',
  ],
]

describe('probes', () => {
  test.each(PROBED)('%s', async (provider, good, bad, reason) => {
    i.s.ctx.clock.advance(MINUTE)
    const ask = (credentials: object) => admin().post('/integrations/validate', { provider, credentials })
    expect((await ask(good)).status).toBe(200)
    const refused = await ask(bad)
    expect([refused.status, refused.body.error.details]).toEqual([400, { reason }])
  })
})
