import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import { CHARTS } from '../../src/insight/charts/charts'
import { type Stage, stage } from '../support/cast'
import { guideLine } from '../support/chart-lines'
import { rowOf } from '../support/facts'
import { type StaffCalls, staff } from '../support/staff'
import { iso, opened, postSessions } from '../support/telemetry'

// The list of charts, what is refused, CSV, and the charts of what is no purchase.

const NOW = Date.UTC(2026, 10, 20, 8)

let s: Stage
let member: StaffCalls
beforeEach(async () => {
  s = await stage({ now: NOW })
  member = staff(s).as('CUSTOMER_SUPPORT')
})
afterEach(() => s.close())

const valuesOf = async (id: string, query = '') => {
  const { status, body } = await member.get(`/charts/${id}?from=2026-11-18&grain=day${query}`)
  expect([id, status]).toEqual([id, 200])
  return body.data.series.map(({ values }: { values: Record<string, number> }) => values.value)
}

const rowsOf = async (id: string, query: string) => {
  const { status, body } = await member.get(`/charts/${id}/rows?${query}`)
  expect([id, status]).toEqual([id, 200])
  return body.data.items
}

describe('the list', () => {
  test('tells every chart, with different ids and titles', async () => {
    const { status, body } = await member.get('/charts')
    expect(status).toBe(200)
    const { items, nextCursor } = body.data
    expect(nextCursor).toBeNull()
    expect(items.map(({ id }: { id: string }) => id)).toEqual(CHARTS.map(({ id }) => id))
    expect(items.length).toBeGreaterThanOrEqual(45)
    for (const name of ['id', 'title', 'definition', 'formula'] as const) {
      const texts = items.map((one: Record<string, string>) => one[name])
      expect([name, texts.filter((text: string) => !text)]).toEqual([name, []])
      if (name !== 'formula') expect([name, new Set(texts).size]).toEqual([name, items.length])
    }
  })

  test('is ordered by group, and each group is in one place', async () => {
    const { body } = await member.get('/charts')
    const groups = Map.groupBy<string, { id: string; group: string }>(body.data.items, ({ group }) => group)
    expect([...groups.keys()]).toEqual([
      ...['money', 'transactions', 'recurring', 'subscriptions', 'endings', 'billing', 'forecast', 'trials'],
      ...['people', 'app', 'usage', 'funnels'],
    ])
    expect([...groups.values()].flat()).toEqual(body.data.items)
    expect(groups.get('endings')?.map(({ id }) => id)).toEqual([
      ...['cancellations', 'cancellations-taken-back', 'expiry-reasons', 'churn-reasons', 'voluntary-churn-rate'],
      'billing-churn-rate',
    ])
  })

  test('has no chart where views and annotations are', async () => {
    for (const other of ['views', 'annotations']) {
      expect(CHARTS.some(({ id }) => id === other)).toBe(false)
      const { status, body } = await member.get(`/charts/${other}`)
      expect([other, status, body.data.items]).toEqual([other, 200, []])
    }
    expect((await member.get('/charts/mrr')).body.data.id).toBe('mrr')
    expect((await member.get('/charts/views/rows?start=2026-11-01')).status).toBe(404)
  })

  test('has only charts that answer, with numbers of their own values, in an empty project', async () => {
    const { body } = await member.get('/charts')
    for (const { id, unit, title, values } of body.data.items) {
      const answer = await member.get(`/charts/${id}?grain=week`)
      expect([id, answer.status]).toEqual([id, 200])
      const { data } = answer.body
      expect({ id: data.id, unit: data.unit, title: data.title }).toEqual({ id, unit, title })
      expect([id, Object.keys(data.totals)]).toEqual([id, values])
      for (const value of Object.values(data.totals))
        expect([id, value === 0 || value === null || id === 'new-subscribers']).toEqual([id, true])
      expect([id, data.unconverted]).toEqual([id, 0])
    }
  })
})

test('the guide has every chart with its definition, and no other', async () => {
  const page = await Bun.file('src/docs/guide/pages/charts.md').text()
  const [, lines = ''] = page.split('## All charts\n\n')
  expect(lines.trim().split('\n')).toEqual(CHARTS.map(guideLine))
})

describe('refused', () => {
  test.each([
    ['an unknown chart', 'nothing', '', 404],
    ['an unknown grain', 'mrr', '?grain=year', 400],
    ['an unknown grouping', 'mrr', '?groupBy=colour', 400],
    ['an unknown environment', 'mrr', '?environment=TEST', 400],
    ['an unknown store', 'mrr', '?store=IOS_STORE,AMAZON', 400],
    ['an unknown member', 'mrr', '?colour=red', 400],
    ['a time that is none', 'mrr', '?from=yesterday', 400],
    ['an empty window', 'mrr', '?from=2026-11-01&to=2026-11-01', 400],
    ['a window that ends before it begins', 'mrr', '?from=2026-11-02&to=2026-11-01', 400],
    ['a knownAt that is none', 'mrr', '?knownAt=then', 400],
    ['a filter of more than 100 values', 'mrr', `?product=${'a,'.repeat(100)}a`, 400],
    ['a filter that the chart does not have', 'sessions', '?product=pro', 400],
    ['a grouping that the chart does not have', 'webhook-success', '?groupBy=store', 400],
    ['time travel where owners are those of now', 'arpu', '?knownAt=2026-11-01', 400],
    ['time travel of sessions', 'sessions', '?knownAt=2026-11-01', 400],
  ] as [string, string, string, number][])('%s', async (_, id, query, status) => {
    for (const path of [`/charts/${id}${query}`, `/charts/${id}/export${query}`]) {
      const answer = await member.get(path)
      expect([path, answer.status, answer.body?.data]).toEqual([path, status, undefined])
    }
  })

  test('windows that are too large, with how large they may be', async () => {
    const { status, body } = await member.get('/charts/mrr?from=2020-01-01&to=2026-01-01&grain=month')
    expect([status, body.error.code, body.error.details]).toEqual([
      400,
      'window_too_large',
      { days: 2192, maxDays: 1096 },
    ])
    const days = await member.get('/charts/mrr/export?from=2024-01-01&to=2026-01-01&grain=day')
    expect([days.status, days.body.error.code]).toEqual([400, 'window_too_large'])
    expect((await member.get('/charts/mrr?from=2023-01-01&to=2026-01-01&grain=month')).status).toBe(200)
  })

  test('a format that is not CSV', async () => {
    expect((await member.get('/charts/mrr/export?format=xlsx')).status).toBe(400)
  })

  test('everything but the list when analytics are switched off', async () => {
    const off = await stage({ now: NOW, env: { SVC_ANALYTICS_URL: 'off' } })
    try {
      const own = staff(off).as('CUSTOMER_SUPPORT')
      for (const path of [
        '/charts/mrr',
        '/charts/mrr/export',
        '/charts/mrr/rows?start=2026-11-01',
        '/charts/sessions',
      ]) {
        const { status, body } = await own.get(path)
        expect([path, status, body.error.code]).toEqual([path, 503, 'ANALYTICS_UNAVAILABLE'])
      }
      expect((await own.get('/charts')).status).toBe(200)
    } finally {
      await off.close()
    }
  })
})

describe('CSV', () => {
  const download = (path: string) => {
    const origin = s.ctx.config.publicBaseUrl ?? 'http://localhost'
    const name = origin.startsWith('https:') ? '__Host-svc_session' : 'svc_session'
    const url = `http://localhost/dashboard/projects/${s.project.id}/charts${path}`
    return s.app.handle(new Request(url, { headers: { cookie: `${name}=CUSTOMER_SUPPORT`, origin } }))
  }

  test('has a line for each cell', async () => {
    const answer = await download('/mrr-movement/export?format=csv&from=2026-11-18&to=2026-11-20')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="mrr-movement.csv"')
    expect(await answer.text()).toBe(
      [
        'cellStart,start,new,reactivation,expansion,contraction,churn,end',
        '2026-11-18T00:00:00.000Z,0,0,0,0,0,0,0',
        '2026-11-19T00:00:00.000Z,0,0,0,0,0,0,0',
        '',
      ].join('\r\n'),
    )
  })

  test('leaves a share empty where there is nothing to divide by', async () => {
    const answer = await download('/churn-rate/export?from=2026-11-19&to=2026-11-20')
    expect(await answer.text()).toBe('cellStart,value\r\n2026-11-19T00:00:00.000Z,\r\n')
  })
})

describe('sessions', () => {
  const send = async (device: string, ...events: object[]) =>
    expect(
      (
        await postSessions(
          s,
          device,
          events.map((event) => opened(s, event)),
        )
      ).status,
    ).toBe(202)

  beforeEach(async () => {
    s.ctx.clock.set(NOW - 2 * DAY)
    await send('svc_ada', {}, { type: 'close', durationMs: 5 * MINUTE })
    s.ctx.clock.set(NOW)
    await send('svc_ada', {}, { occurredAt: iso(NOW - HOUR) })
    await send('svc_bo', {}, { type: 'close', durationMs: 2 * MINUTE })
  })

  test('count by day, week and month', async () => {
    expect(await valuesOf('sessions')).toEqual([1, 0, 3])
    expect(await valuesOf('play-time')).toEqual([5 * MINUTE, 0, 2 * MINUTE])
    expect(await valuesOf('session-length')).toEqual([5 * MINUTE, null, 2 * MINUTE])
    expect(await valuesOf('active-users')).toEqual([1, 0, 2])
    expect(await valuesOf('weekly-active-users')).toEqual([1, 1, 2])
    expect(await valuesOf('monthly-active-users')).toEqual([1, 1, 2])
    expect(await valuesOf('stickiness')).toEqual([1, 0, 1])
    const total = await member.get('/charts/active-users?from=2026-11-18&grain=total')
    expect(total.body.data.series).toEqual([{ start: '2026-11-18T00:00:00.000Z', values: { value: 2 } }])
    expect(await valuesOf('sessions', '&to=2026-11-19')).toEqual([1])
  })

  test('open to the subscribers', async () => {
    const [ada, bo] = [(await rowOf(s, 'svc_ada')).id, (await rowOf(s, 'svc_bo')).id]
    const start = 'start=2026-11-18&grain=total'
    for (const [id, sums] of [
      ['sessions', { [ada]: 3, [bo]: 1 }],
      ['play-time', { [ada]: 5 * MINUTE, [bo]: 2 * MINUTE }],
      ['active-users', { [ada]: 1, [bo]: 1 }],
      ['monthly-active-users', { [ada]: 1, [bo]: 1 }],
    ] as [string, Record<string, number>][]) {
      const found: Record<string, number> = {}
      let query = `${start}&limit=1`
      for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
        if (cursor !== null) query = `${start}&limit=1&cursor=${cursor}`
        const { status, body } = await member.get(`/charts/${id}/rows?${query}`)
        expect([id, status]).toEqual([id, 200])
        for (const { subscriberId, contribution, purchaseId } of body.data.items) {
          expect(purchaseId).toBeNull()
          found[subscriberId] = (found[subscriberId] ?? 0) + contribution
        }
        cursor = body.data.nextCursor
      }
      expect([id, found]).toEqual([id, sums])
    }
    expect((await member.get(`/charts/session-length/rows?${start}`)).status).toBe(400)
    expect(await rowsOf('stickiness', 'start=2026-11-20')).toMatchObject([{ unit: 'count' }, { unit: 'count' }])
  })

  test('are no other project’s', async () => {
    await postSessions(s, 'svc_eve', [opened(s)], { key: s.other.publicKey })
    expect(await valuesOf('sessions')).toEqual([1, 0, 3])
    expect(await rowsOf('sessions', 'start=2026-11-20')).toHaveLength(2)
  })

  test('new subscribers are those that were seen for the first time', async () => {
    s.ctx.clock.advance(1)
    const before = (await valuesOf('new-subscribers')).at(-1)
    await send('svc_new', {})
    expect((await valuesOf('new-subscribers')).at(-1)).toBe(before)
    s.ctx.clock.advance(1)
    expect((await valuesOf('new-subscribers')).at(-1)).toBe(before + 1)
    const rows = await rowsOf('new-subscribers', 'start=2026-11-20')
    expect(rows).toHaveLength(before + 1)
    expect(rows[0]).toMatchObject({ subscriberId: (await rowOf(s, 'svc_new')).id, contribution: 1, unit: 'count' })
  })
})

describe('webhook deliveries', () => {
  let count = 0
  const made = async (status: string, change: object = {}) => {
    const id = `whd_${++count}`
    const { deliveries } = s.ctx.tables
    const base = {
      ...{ id, projectId: s.project.id, kind: 'WEBHOOK', targetId: 'whe_1', eventId: null, eventPosition: null },
      ...{ type: 'purchase.initial', seq: null, subscriberId: null, status, attempts: 1, dueAt: null, openOrder: null },
      ...{ leaseId: null, lastStatusCode: null, lastError: null, skipReason: null, isTest: false, payload: null },
      ...{ log: [], createdAt: s.ctx.clock.now() - HOUR, endedAt: null },
      ...change,
    }
    await s.ctx.write((tx) => tx.db.insert(deliveries).values(base as typeof deliveries.$inferInsert))
  }

  test('count without tests, skipped ones and other kinds', async () => {
    await made('SUCCEEDED')
    await made('SUCCEEDED')
    await made('DEAD')
    await made('PENDING')
    await made('SKIPPED')
    await made('SUCCEEDED', { isTest: true })
    await made('SUCCEEDED', { kind: 'INTEGRATION' })
    await made('SUCCEEDED', { projectId: s.other.id })
    expect(await valuesOf('webhook-deliveries')).toEqual([0, 0, 4])
    expect(await valuesOf('webhook-success')).toEqual([null, null, 0.5])
    expect(await rowsOf('webhook-deliveries', 'start=2026-11-20')).toHaveLength(4)
    expect(await rowsOf('webhook-success', 'start=2026-11-20')).toHaveLength(2)
    expect(await rowsOf('webhook-success', 'start=2026-11-19')).toEqual([])
  })
})
