import { describe, expect, test } from 'bun:test'
import { settle } from '../cases/settle'
import { checkout } from '../checkout'
import { ACCESS, API_KEY, FakeBrowser, FakeSite, first } from './browser.fixtures'

const seenBy = ({ server }: FakeBrowser) => server.waiting.map(({ method, path }) => `${method} ${path}`)
const BOOTSTRAP = 'GET /me/bootstrap?include=entitlements,config,offerings,balances'

describe('the first load of a page', () => {
  test('one request reads all parts, through the path for browsers', async () => {
    const tab = new FakeBrowser()
    const urls: string[] = []
    const client = await tab.configure({
      fetch: (url, options) => {
        urls.push(url)
        return tab.server.fetch(url, options)
      },
    })
    const reads = Promise.all([client.entitlements(), client.offerings(), client.balances(), client.refreshConfig()])
    const { headers } = await tab.answer(first(ACCESS))
    expect((await reads)[0].value.map(({ id }) => id)).toEqual(['pro'])
    expect(urls).toEqual([
      `https://svc.example/v1/web/${API_KEY}/me/bootstrap?include=entitlements,config,offerings,balances`,
    ])
    expect(headers).toMatchObject({ 'x-svc-platform': 'web', authorization: `Bearer ${API_KEY}` })
    await tab.advance(29_000)
    expect(seenBy(tab)).toEqual([])
  })

  test('a page of the server itself takes the path for apps, because browsers send no origin then', async () => {
    const urls: string[] = []
    for (const baseUrl of ['https://shop.example', 'https://shop.example/svc/', 'https://shop.example.org']) {
      const fetch = async (url: string) => {
        urls.push(url.replace(/\?.*/, ''))
        throw new TypeError('fetch failed')
      }
      await new FakeBrowser().configure({ baseUrl, fetch })
    }
    expect(urls).toEqual([
      'https://shop.example/v1/me/bootstrap',
      'https://shop.example/svc/v1/me/bootstrap',
      `https://shop.example.org/v1/web/${API_KEY}/me/bootstrap`,
    ])
  })

  test('the flags of the last visit are there before any answer', async () => {
    const site = new FakeSite()
    const before = new FakeBrowser(site)
    await before.configure()
    await before.answer(first({}, { new_checkout: true }))
    const client = await new FakeBrowser(site).configure()
    expect(client.flag('new_checkout', false)).toBe(true)
  })

  test('answers of the last minute are not asked for again by the next page', async () => {
    const site = new FakeSite()
    const before = new FakeBrowser(site)
    await before.configure()
    await before.answer(first())
    const next = new FakeBrowser(site, before.clock)
    await next.configure()
    expect(seenBy(next)).toEqual([])
  })

  test('a listener that throws stops neither the others nor the read', async () => {
    const tab = new FakeBrowser()
    const client = await tab.configure()
    const told: string[] = []
    client.on(() => {
      throw new Error('a fault of the app')
    })
    client.on(({ type }) => void told.push(type))
    await tab.answer(first())
    expect(told).toEqual(['ENTITLEMENTS_CHANGED', 'REMOTE_CONFIG_CHANGED', 'VIRTUAL_CURRENCIES_CHANGED'])
  })
})

describe('without network', () => {
  test('a call waits until the browser is online', async () => {
    const tab = new FakeBrowser()
    tab.navigator.onLine = false
    const client = await tab.configure()
    const read = client.entitlements()
    await tab.advance(9000)
    expect(seenBy(tab)).toEqual([])
    tab.navigator.onLine = true
    tab.window.send('online')
    await tab.answer(first(ACCESS))
    expect((await read).value).toHaveLength(1)
  })

  test('it waits at most 10 seconds', async () => {
    const tab = new FakeBrowser()
    tab.navigator.onLine = false
    const client = await tab.configure()
    const read = client.entitlements().catch((error) => error)
    await tab.advance(10_000)
    expect(await read).toMatchObject({ kind: 'NetworkUnavailable' })
    expect(seenBy(tab)).toEqual([])
  })

  test('identify and logOut answer at once, and what waited is dropped with one warning', async () => {
    const tab = new FakeBrowser()
    tab.navigator.onLine = false
    const client = await tab.configure()
    expect(await client.identify('user_1')).toEqual({ synced: false })
    client.setAttributes({ plan: 'gold' })
    await client.logOut()
    expect(tab.warnings).toHaveLength(1)
    expect(client.currentUser().appUserId).toBeNull()
    expect(await client.flushAttributes().catch(() => 'not sent')).toBe(0)
  })
})

describe('the life of a page', () => {
  test('what waits is sent when the page is hidden, in requests that outlive it', async () => {
    const tab = new FakeBrowser()
    const client = await tab.configure()
    await tab.answer(first())
    client.setAttributes({ plan: 'gold' })
    tab.show('hidden')
    await settle()
    expect(tab.server.waiting.map(({ path, keepalive, body }) => ({ path, keepalive, body }))).toEqual([
      { path: '/me/attributes', keepalive: true, body: { attributes: { plan: 'gold' } } },
      {
        path: '/sdk/sessions',
        keepalive: true,
        body: {
          subscriberId: client.currentUser().deviceKey,
          events: [
            { type: 'open', occurredAt: '2026-11-20T08:00:00.000Z' },
            { type: 'background', occurredAt: '2026-11-20T08:00:00.000Z', durationMs: 0 },
          ],
        },
      },
    ])
  })

  test('more than 60,000 characters are not sent when the page is hidden; the storage holds them', async () => {
    const tab = new FakeBrowser()
    const client = await tab.configure()
    await tab.answer(first())
    const values = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`key_${at}`, 'x'.repeat(490)]))
    client.setAttributes(values)
    tab.show('hidden')
    await settle()
    expect(seenBy(tab)).toEqual(['POST /sdk/sessions'])
    const next = new FakeBrowser(tab.site)
    await next.configure()
    const sent = next.server.waiting.find(({ path }) => path === '/me/attributes')
    expect(sent?.body).toEqual({ attributes: values })
  })

  test('coming back reads again what is older than 30 seconds', async () => {
    const tab = new FakeBrowser()
    await tab.configure()
    await tab.answer(first())
    tab.show('hidden')
    await tab.answer({ status: 202 })
    await tab.advance(29_999)
    tab.show('visible')
    await settle()
    expect(seenBy(tab)).toEqual(['POST /sdk/sessions'])
    await tab.answer({ status: 202 })
    tab.show('hidden')
    await tab.answer({ status: 202 })
    await tab.advance(1)
    tab.show('visible')
    await settle()
    expect(seenBy(tab)).toContain(BOOTSTRAP)
  })

  test('shutdown leaves no listener, and sends nothing more', async () => {
    const tab = new FakeBrowser()
    const client = await tab.configure()
    await tab.answer(first())
    client.setAttributes({ plan: 'gold' })
    await settle()
    client.shutdown()
    expect([tab.window.count, tab.document.count]).toEqual([0, 0])
    await tab.advance(120_000)
    expect(seenBy(tab)).toEqual([])
  })
})

describe('storage', () => {
  test('a browser that forbids storage gives one warning, and everything works', async () => {
    const tab = new FakeBrowser()
    tab.site.isForbidden = true
    const client = await tab.configure()
    const read = client.entitlements()
    await tab.answer(first(ACCESS))
    expect((await read).value).toHaveLength(1)
    expect(await client.isEntitled('pro')).toBe(true)
    expect(tab.warnings).toHaveLength(1)
  })

  test('garbage in the storage is as nothing', async () => {
    const site = new FakeSite()
    const before = await new FakeBrowser(site).configure()
    const scope = `svc.01234567.c.${before.currentUser().deviceKey}`
    for (const key of ['config', 'entitlements'])
      site.kept.set(`${scope}.${key}`, '{"data":{"flags":5},"at":1795161600000}')
    site.kept.set(`${scope}.offerings`, '{"data"')
    site.kept.set('svc.01234567.x', JSON.stringify({ [`${scope}.config`.slice(13)]: 30 }))
    const client = await new FakeBrowser(site).configure()
    expect(client.flag('a', 'default')).toBe('default')
    expect(client.experiment('a')).toBeNull()
  })

  test('a full storage loses answers of others first, then is given up with one warning', async () => {
    const site = new FakeSite()
    site.kept.set('svc.01234567.c.other.offerings', JSON.stringify({ data: 'x'.repeat(2000), at: 0 }))
    site.kept.set('svc.01234567.x', JSON.stringify({ 'c.other.offerings': 2020 }))
    site.room = 2200
    const tab = new FakeBrowser(site)
    const client = await tab.configure()
    await tab.answer(first(ACCESS))
    expect(site.kept.has('svc.01234567.c.other.offerings')).toBe(false)
    expect(tab.warnings).toEqual([])
    site.room = 0
    client.setAttributes({ plan: 'gold' })
    expect(tab.warnings).toHaveLength(1)
    client.setAttributes({ plan: 'silver' })
    expect(tab.warnings).toHaveLength(1)
    const flushed = client.flushAttributes()
    expect((await tab.answer({ data: {} })).body).toEqual({ attributes: { plan: 'silver' } })
    expect(await flushed).toBe(1)
  })

  test('at most 262,144 characters are kept, and the oldest answers of others go first', async () => {
    const site = new FakeSite()
    const tab = new FakeBrowser(site)
    const client = await tab.configure()
    await tab.answer(first())
    for (let at = 0; at < 6; at++) {
      const shown = client.placement(`p${at}`)
      await tab.answer({
        data: {
          placement: { identifier: `p${at}`, revision: 1 },
          funnel: { id: 'x'.repeat(60_000) },
          experiment: null,
        },
      })
      await shown
    }
    expect(sizeOf(site)).toBeLessThanOrEqual(262_144)
    const names = [...site.kept.keys()].filter((key) => key.includes('placement')).map((key) => key.slice(-2))
    expect(names).toEqual(['p2', 'p3', 'p4', 'p5'])
  })

  test('the bound holds with many short answers, and with queues that grow beside them', async () => {
    const site = new FakeSite()
    const tab = new FakeBrowser(site)
    const client = await tab.configure()
    await tab.answer(first())
    for (let at = 0; at < 120; at++) {
      const shown = client.placement(`a_placement_with_a_long_name_${at}`)
      const placement = { identifier: `p${at}`, revision: 1 }
      await tab.answer({ data: { placement, funnel: { id: 'x'.repeat(2500) }, experiment: null } })
      await shown
      if (at % 2) client.setAttributes({ [`key_${at}`]: 'y'.repeat(500 + at * 10) })
      expect(sizeOf(site)).toBeLessThanOrEqual(262_144)
    }
    expect(sizeOf(site)).toBeGreaterThan(200_000)
  })

  test('an answer that is too long to be kept is asked for once, and used in this session', async () => {
    const tab = new FakeBrowser()
    const client = await tab.configure()
    const long = { ...first({}, { text: 'x'.repeat(300_000), other: 1 }) }
    await tab.answer(long)
    expect(client.flag('other', 0)).toBe(1)
    expect(seenBy(tab)).toEqual([])
    expect([...tab.site.kept.keys()].filter((key) => key.endsWith('.config'))).toEqual([])
  })

  test('a full storage takes nothing from this session', async () => {
    const tab = new FakeBrowser()
    const client = await tab.configure()
    await tab.answer(first(ACCESS, { kept: true }))
    tab.site.room = 500
    const shown = client.placement('onboarding')
    const funnel = { id: 'x'.repeat(400) }
    await tab.answer({ data: { placement: { identifier: 'onboarding', revision: 1 }, funnel, experiment: null } })
    await shown
    expect(client.flag('kept', false)).toBe(true)
    expect(await client.isEntitled('pro')).toBe(true)
  })

  test('a storage that answers later keeps the last value, whatever the order of its writes', async () => {
    const kept = new Map<string, string>()
    const waits = [30, 0, 10]
    const slow = (work: () => void) =>
      new Promise<void>((resolve) => setTimeout(() => resolve(work()), waits.shift() ?? 0))
    const storage = {
      get: async (key: string) => kept.get(key) ?? null,
      set: (key: string, text: string) => slow(() => kept.set(key, text)),
      remove: (key: string) => slow(() => kept.delete(key)),
    }
    const tab = new FakeBrowser()
    const client = await tab.configure({ storage })
    for (const plan of ['a', 'b', 'c']) client.setAttributes({ plan })
    const last = JSON.stringify({ plan: 'c' })
    for (let at = 0; at < 100 && kept.get('svc.01234567.q') !== last; at++) await Bun.sleep(5)
    expect(kept.get('svc.01234567.q')).toBe(last)
  })
})

describe('several tabs', () => {
  /** Web Locks over tabs. */
  const createLocks = () => {
    let last: Promise<unknown> = Promise.resolve()
    return {
      request: (_name: string, run: () => Promise<unknown>) => {
        const turn = last.then(run)
        last = turn.catch(() => {})
        return turn
      },
    }
  }

  test('a label that one tab takes is in all others, and they are told', async () => {
    const site = new FakeSite()
    const [one, other] = [new FakeBrowser(site), new FakeBrowser(site)]
    const client = await one.configure()
    const follower = await other.configure()
    const told: string[] = []
    follower.on(({ type }) => void told.push(type))
    void client.identify('user_1')
    await settle()
    expect(follower.currentUser()).toEqual(client.currentUser())
    expect(told).toEqual(['IDENTITY_CHANGED'])
  })

  test('two tabs that start together have one device key', async () => {
    const site = new FakeSite()
    const first = await new FakeBrowser(site).configure()
    const second = await new FakeBrowser(site).configure()
    expect(second.currentUser().deviceKey).toBe(first.currentUser().deviceKey)
  })

  for (const kind of ['Web Locks', 'a lease in the storage'])
    test(`five tabs send each attribute and each event once, by ${kind}`, async () => {
      const site = new FakeSite()
      const locks = kind === 'Web Locks' ? createLocks() : undefined
      const clock = new FakeBrowser(site).clock
      const tabs = Array.from({ length: 5 }, () => new FakeBrowser(site, clock))
      const clients = await Promise.all(
        tabs.map((tab) => {
          if (locks) Object.assign(tab.navigator, { locks })
          return tab.configure()
        }),
      )
      const delivered = Promise.all(clients.map((client, at) => client.track({ eventType: `opened_${at}` })))
      for (const [at, client] of clients.entries()) client.setAttributes({ [`tab_${at}`]: 'yes' })
      const seen: string[] = []
      const keys: string[] = []
      for (let round = 0; round < 400; round++) {
        for (const { server } of tabs)
          for (const { path, body, answer } of server.waiting.splice(0)) {
            const sent = body as { eventType?: string; attributes?: object }
            if (path === '/events') seen.push(sent.eventType ?? '')
            if (sent?.attributes) keys.push(...Object.keys(sent.attributes))
            answer(path.startsWith('/me/boot') ? first() : path === '/me/attributes' ? { data: {} } : { status: 202 })
          }
        await settle()
        clock.step(clock.elapsed() + 500)
        await settle()
      }
      await delivered
      expect(seen.sort()).toEqual([0, 1, 2, 3, 4].map((at) => `opened_${at}`))
      expect(keys.sort()).toEqual([0, 1, 2, 3, 4].map((at) => `tab_${at}`))
    })
})

describe('events that wait', () => {
  test('more than 1,000 lose the oldest, whose number is the first event that is sent', async () => {
    const tab = new FakeBrowser()
    tab.navigator.onLine = false
    const client = await tab.configure()
    const promises = Array.from({ length: 1003 }, (_, at) =>
      client.track({ eventType: `e${at}` }).catch((error) => error.kind),
    )
    await tab.advance(0)
    expect(await promises[0]).toBe('InvalidArgument')
    expect(await promises[3]).toBe('InvalidArgument')
    tab.navigator.onLine = true
    tab.window.send('online')
    await settle()
    tab.server.waiting.splice(0)
    await tab.advance(30_000)
    const sent = tab.server.waiting.find(({ path }) => path === '/events')
    expect(sent?.body).toMatchObject({ eventType: 'client.dropped', amount: '4' })
  })
})

describe('a purchase at the payment provider', () => {
  const options = {
    offeringIdentifier: 'default',
    packageIdentifier: '$svc_monthly',
    successUrl: 'https://shop.example/thanks?x=1',
    cancelUrl: 'https://shop.example/',
  }

  async function buy(site: FakeSite, href: string) {
    const tab = new FakeBrowser(site)
    const client = await tab.configure()
    await tab.answer(first())
    const opened = checkout(client, options)
    const { path, body } = await tab.answer({ data: { url: 'https://pay.example/c/1', sessionId: 'cs_1' } })
    expect({ path, body }).toEqual({ path: '/checkout', body: options })
    await opened
    expect(tab.location.visited).toEqual(['https://pay.example/c/1'])
    const back = new FakeBrowser(site, tab.clock)
    back.location.href = href
    return { back, returned: await back.configure() }
  }

  test('after the return, entitlements asks after 1, 2, 4 and 8 seconds until the purchase is there', async () => {
    const { back, returned } = await buy(new FakeSite(), 'https://shop.example/thanks?x=1&session=2')
    const read = returned.entitlements()
    const none = { data: { entitlements: {} } }
    await back.answer(none)
    for (const wait of [1000, 2000, 4000]) {
      await back.advance(wait - 1)
      expect(seenBy(back)).toEqual([])
      await back.advance(1)
      await back.answer(none)
    }
    await back.advance(8000)
    await back.answer({ data: { entitlements: ACCESS } })
    expect((await read).value).toMatchObject([{ id: 'pro' }])
    await back.advance(20_000)
    expect(seenBy(back)).toEqual([])
  })

  test('it stops after 30 seconds', async () => {
    const { back, returned } = await buy(new FakeSite(), 'https://shop.example/thanks')
    const read = returned.entitlements()
    for (const wait of [0, 1000, 2000, 4000, 8000, 8000]) {
      await back.advance(wait)
      await back.answer({ data: { entitlements: {} } })
    }
    await back.advance(7000)
    expect((await read).value).toEqual([])
  })

  test('after a cancelled checkout nothing is waited for', async () => {
    const { back, returned } = await buy(new FakeSite(), 'https://shop.example/')
    expect((await returned.entitlements()).value).toEqual([])
    expect(seenBy(back)).toEqual([])
  })
})

test('what was shown before logOut goes with no receipt', async () => {
  const tab = new FakeBrowser()
  const client = await tab.configure()
  await tab.answer(first())
  const shown = client.placement('onboarding')
  const funnel = { id: 'fnl_1', presentedContext: { funnelId: 'fnl_1' } }
  await tab.answer({ data: { placement: { identifier: 'onboarding', revision: 1 }, funnel, experiment: null } })
  await shown
  const out = client.logOut()
  await tab.answer(first())
  await out
  void client.postReceipt({ store: 'ios', receipt: 'jws', productId: 'p' }).catch(() => {})
  await settle()
  expect(Object.keys(tab.server.waiting[0]?.body as object).sort()).toEqual(['appUserId', 'productId', 'receipt'])
})

/** Characters that a site has stored, with its keys. */
const sizeOf = ({ kept }: FakeSite): number => [...kept].reduce((sum, [key, text]) => sum + key.length + text.length, 0)
