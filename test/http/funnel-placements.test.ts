import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { bucket } from '../../src/base/lib/bucket'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { sweepRetention } from '../../src/base/retention/sweep'
import { type Stage, stage } from '../support/cast'
import { begin, funnelPage, publishFunnel, slugOf } from '../support/funnels'
import { dataOf } from '../support/operator'
import { type StaffCalls, staff } from '../support/staff'

let s: Stage
let dev: StaffCalls
let project: string
let experimentId: string
const ids: Record<string, string> = {}
beforeAll(async () => {
  s = await stage()
  dev = staff(s).as('DEVELOPER')
  project = await slugOf(s)
  for (const slug of ['one', 'two', 'german', 'asking'])
    ids[slug] = await publishFunnel(dev, slug, [funnelPage(slug, 'end'), funnelPage('end')], {
      settings: slug === 'asking' ? { requireConsent: true } : {},
    })
  const variants = ['one', 'two'].map((slug) => ({ id: slug, name: slug, weight: 0.5, value: { funnelId: ids[slug] } }))
  const experiment = { key: 'web_test', name: 'Web', type: 'FUNNEL', audienceId: null, variants, metrics: [] }
  experimentId = (await dataOf(dev.post('/experiments', experiment))).id
  await dataOf(dev.post(`/experiments/${experimentId}/start`, {}))
  const audience = (name: string, rules: object) =>
    dataOf(dev.post('/audiences', { name, rules })).then(({ id }: { id: string }) => id)
  const german = await audience('German', { language: 'de', platform: 'web' })
  const mail = await audience('Mail', { 'query.from': 'mail', 'referrer.host': 'news.example' })
  const target = (type: string, more: object = {}) => ({ type, ...more })
  await dataOf(
    dev.post('/placements', {
      identifier: 'home',
      name: 'Home',
      rows: [
        { audienceId: german, target: target('funnel', { funnelId: ids.german }) },
        { audienceId: mail, target: target('none') },
        { audienceId: null, target: target('experiment', { experimentId }) },
      ],
    }),
  )
  await consentExperiment(target)
  const rows = [{ audienceId: null, target: target('funnel', { funnelId: ids.asking }) }]
  await dataOf(dev.post('/placements', { identifier: 'asking', name: 'Asking', rows }))
})
/** An experiment over two funnels that ask for consent, in the placement `consent`. */
async function consentExperiment(target: (type: string, more?: object) => object): Promise<void> {
  const pages = [
    funnelPage('first', 'more', { fields: [{ id: 'agree', kind: 'consent', required: false }] }),
    funnelPage('more'),
  ]
  const made: string[] = []
  for (const slug of ['calm', 'loud'])
    made.push(await publishFunnel(dev, slug, pages, { settings: { requireConsent: true } }))
  const variants = made.map((funnelId, at) => ({ id: `v${at}`, name: `V${at}`, weight: 0.5, value: { funnelId } }))
  const experiment = { key: 'consent_test', name: 'C', type: 'FUNNEL', audienceId: null, variants, metrics: [] }
  const { id } = await dataOf(dev.post('/experiments', experiment))
  await dataOf(dev.post(`/experiments/${id}/start`, {}))
  const rows = [{ audienceId: null, target: target('experiment', { experimentId: id }) }]
  await dataOf(dev.post('/placements', { identifier: 'consent', name: 'Consent', rows }))
}
beforeEach(() => s.ctx.clock.advance(2 * MINUTE)) // Client addresses are limited by the minute.
afterAll(() => s.close())

const show = (query = '', headers: Record<string, string> = {}, identifier = 'home') =>
  s.get(`/public/placements/${identifier}?project=${project}${query}`, undefined, { key: null, headers })
/** The variant of a visitor, as the algorithm of the specification has it. */
const variantOf = (visitor: string) => (bucket(visitor, 'web_test') < 5000 ? 'one' : 'two')
const exposed = async () =>
  (await s.ctx.db.select().from(s.ctx.tables.events)).filter(({ type }) => type === 'experiment.exposed')
const sessions = () => s.ctx.db.select().from(s.ctx.tables.funnelSessions)

describe('a placement on the web', () => {
  test('draws for the visitor, always the same, and tells only that variant', async () => {
    const { visitor, experiment, ...rest } = await dataOf(show())
    expect(visitor).toMatch(/^vid_/)
    expect(rest).toMatchObject({ placement: { identifier: 'home' }, funnel: null, offering: null })
    expect(experiment.assignedVariantId).toBe(variantOf(visitor))
    expect(experiment.variants).toHaveLength(1)
    expect(experiment.variants[0]).toMatchObject({ weight: 1, funnel: { slug: variantOf(visitor) } })
    const again = await show(`&visitor=${visitor}`)
    expect(again.body.data).toEqual({ visitor, experiment, ...rest })
    expect(again.headers.get('x-svc-experiment')).toBe(`web_test:${variantOf(visitor)}`)
    expect(again.headers.get('access-control-allow-origin')).toBe('*')
    expect(await exposed()).toEqual([])
  })

  test('shares the visitors by the weights', async () => {
    const variants: string[] = []
    for (let count = 0; count < 200; count++) variants.push(variantOf(`vid_${count}_visitor`))
    for (const index of [0, 1, 2, 3, 4]) {
      const { experiment } = await dataOf(show(`&visitor=vid_${index}_visitor`))
      expect(experiment.assignedVariantId).toBe(variants[index])
    }
    const share = variants.filter((variant) => variant === 'one').length / variants.length
    expect(Math.abs(share - 0.5)).toBeLessThan(0.12)
  })

  test('has rules over the language, the address and the page before', async () => {
    expect((await dataOf(show('', { 'accept-language': 'de-CH,de' }))).funnel.slug).toBe('german')
    const mailed = await dataOf(show('&from=mail&referrer=https://news.example/a'))
    expect([mailed.funnel, mailed.experiment]).toEqual([null, null])
    expect((await dataOf(show('&from=mail'))).experiment).not.toBeNull()
  })

  test('that is unknown shows nothing, and a wrong visitor or project is refused', async () => {
    expect(await dataOf(show('', {}, 'nowhere'))).toMatchObject({ placement: null, funnel: null, experiment: null })
    expect((await show('&visitor=a%20b%20c%20d%20')).status).toBe(400)
    expect((await s.get('/public/placements/home', undefined, { key: null })).status).toBe(400)
    expect((await s.get('/public/placements/home?project=nobody', undefined, { key: null })).status).toBe(404)
  })
})

describe('a session by a placement', () => {
  test('is bound to the drawn variant, and its exposure counts once for the visitor', async () => {
    const visitor = 'vid_of_a_session'
    const slug = variantOf(visitor)
    const body = { placement: 'home', visitor, variantId: slug }
    const session = await begin(s, slug, body)
    await begin(s, slug, body)
    const row = (await sessions()).find(({ id }) => id === session.id)
    expect(row).toMatchObject({ visitorId: visitor, placement: 'home', experimentId, variantId: slug })
    const events = (await exposed()).filter(({ data }) => data.visitorId === visitor)
    expect(events.map(({ subscriberId, seq, data }) => [subscriberId, seq, data])).toEqual([
      [null, null, { experimentId, key: 'web_test', variantId: slug, placementId: 'home', visitorId: visitor }],
    ])
    const results = await s.get(`/v1/experiments/${experimentId}/results`, undefined, { key: s.project.secretKey })
    const counted = results.body.data.variants.find((one: { variantId: string }) => one.variantId === slug)
    expect(counted.exposures).toBeGreaterThanOrEqual(1)
  })

  test('of another variant, another funnel, or a variant without a placement is refused, and nothing begins', async () => {
    const visitor = 'vid_of_a_refusal'
    const [own, other] = variantOf(visitor) === 'one' ? ['one', 'two'] : ['two', 'one']
    const before = (await sessions()).length
    const refused = async (slug: string, body: object) => {
      const answer = await s.post(`/public/funnels/${slug}/sessions?project=${project}`, body, { key: null })
      expect([answer.status, answer.body.error?.code]).toEqual([400, 'VALIDATION_ERROR'])
    }
    await refused(own, { placement: 'home', visitor, variantId: other })
    await refused(other, { placement: 'home', visitor })
    await refused(own, { variantId: own })
    await refused(own, { placement: 'nowhere', visitor })
    await refused(own, { placement: 'home', visitor: 'x' })
    await refused(own, { placement: 'home', visitor: 'sub_of_somebody' })
    expect(await sessions()).toHaveLength(before)
  })
})

describe('the page of a placement', () => {
  const open = (path: string, headers: Record<string, string> = {}) =>
    s.app.handle(new Request(`http://localhost/f/${project}/${path}`, { headers }))
  const cookiesOf = (answer: Response) => answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')

  test('shows the drawn funnel, remembers the visitor, and goes on where the visitor was', async () => {
    const first = await open('@home')
    const cookies = cookiesOf(first)
    const visitor = cookies.find((one) => one.startsWith('svc_vid='))?.slice(8) ?? ''
    expect(first.headers.getSetCookie().find((line) => line.startsWith('svc_vid='))).toContain('Max-Age=34214400')
    expect(await first.text()).toContain(`Page ${variantOf(visitor)}`)
    const count = (await sessions()).length
    expect(await (await open('@home', { cookie: cookies.join('; ') })).text()).toContain(`Page ${variantOf(visitor)}`)
    expect(await sessions()).toHaveLength(count)
    // A new session of the same visitor has the same variant, and no second exposure.
    await open('@home', { cookie: `svc_vid=${visitor}` })
    expect((await sessions()).filter(({ visitorId }) => visitorId === visitor)).toHaveLength(2)
    expect((await exposed()).filter(({ data }) => data.visitorId === visitor)).toHaveLength(1)
  })

  test('remembers nobody where the funnel asks for consent first', async () => {
    const answer = await open('@asking')
    expect(cookiesOf(answer).map((one) => one.split('=')[0])).toEqual([expect.stringMatching(/^svc_fs_fse_/)])
    expect((await sessions()).at(-1)).toMatchObject({ placement: 'asking', visitorId: null })
  })

  describe('of a funnel that asks for consent first', () => {
    const shownAt = async (cookie = '') => {
      const answer = await open('@consent', { cookie })
      const html = await answer.text()
      const memberOf = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''
      const [session, token, page] = [memberOf('session'), memberOf('token'), memberOf('page')]
      return { session, token, page, cookie: [cookie, ...cookiesOf(answer)].filter(Boolean).join('; ') }
    }
    const answerWith = async (at: Awaited<ReturnType<typeof shownAt>>, form: Record<string, string>) => {
      const { session, token, page, cookie } = at
      const answer = await s.app.handle(
        new Request(`http://localhost/f/${project}/@consent`, {
          method: 'POST',
          headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ session, token, page, action: 'next', ...form }),
        }),
      )
      expect(answer.status).toBe(303)
      return answer.headers.getSetCookie()
    }

    test('a visitor who accepts keeps the variant that the session was drawn, and counts once', async () => {
      const at = await shownAt()
      const [cookie = '', ...more] = await answerWith(at, { 'a.agree': 'true' })
      expect(more).toEqual([])
      expect(cookie).toStartWith(`svc_vid=${at.session}; Path=/; Max-Age=34214400; HttpOnly`)
      const again = await shownAt(`svc_vid=${at.session}`)
      expect(again.session).not.toBe(at.session)
      const [first, second] = [at.session, again.session].map((id) =>
        sessions().then((all) => all.find((one) => one.id === id)),
      )
      expect((await second)?.variantId).toBe((await first)?.variantId ?? '')
      expect((await second)?.visitorId).toBe(at.session)
      expect((await exposed()).filter(({ data }) => data.visitorId === at.session)).toHaveLength(1)
    })

    test('a visitor who does not accept is not remembered, and forgotten after withdrawing it', async () => {
      const at = await shownAt()
      expect(await answerWith(at, {})).toEqual([])
      const other = await shownAt()
      expect(await answerWith(other, { 'a.agree': 'true' })).toHaveLength(1)
      const remembered = { ...other, page: 'more', cookie: `${other.cookie}; svc_vid=${other.session}` }
      expect(await answerWith(remembered, { action: 'back' })).toEqual([])
      const [forgotten = ''] = await answerWith({ ...remembered, page: 'first' }, {})
      expect(forgotten).toStartWith('svc_vid=; Path=/; Max-Age=0')
    })
  })

  test('is not there where the placement shows no funnel', async () => {
    expect((await open('@nowhere')).status).toBe(404)
    const headers = { referer: 'https://news.example/x' }
    expect((await open('@home?from=mail', headers)).status).toBe(404)
  })
})

test('the exposure of a visitor who never claims is deleted after 13 months, and that of a subscriber is kept', async () => {
  const { assignments: a } = s.ctx.tables
  const ofVisitors = async () => (await s.ctx.db.select().from(a)).filter((row) => !row.subscriberId.startsWith('sub_'))
  const visitor = 'vid_who_never_claims'
  await begin(s, variantOf(visitor), { placement: 'home', visitor })
  const row = (await ofVisitors()).find(({ subscriberId }) => subscriberId === visitor)
  if (!row) throw new Error('the visitor was not exposed')
  await s.ctx.write((tx) => tx.db.insert(a).values({ ...row, subscriberId: 'sub_of_a_claim' }))
  s.ctx.clock.advance(396 * DAY)
  await sweepRetention(s.ctx)
  expect((await ofVisitors()).map(({ subscriberId }) => subscriberId)).toContain(visitor)
  s.ctx.clock.advance(1)
  await sweepRetention(s.ctx)
  expect(await ofVisitors()).toEqual([])
  expect((await s.ctx.db.select().from(a)).map(({ subscriberId }) => subscriberId)).toContain('sub_of_a_claim')
})
