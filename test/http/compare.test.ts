import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { MINUTE } from '../../src/base/lib/clock'
import { beginRun, continueRun } from '../../src/moving/compare/begin'
import type { Waits } from '../../src/moving/compare/client'
import { performRun } from '../../src/moving/compare/run'
import { CLI_ACTOR } from '../../src/projects/audit/audit'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { KEY_ENV, orderArgs, resumeArgs, runCompare } from '../support/compare-command'
import { DAY, type MadePerson, pro, writePeople } from '../support/compared-people'
import { csvRows, freshFolder } from '../support/exports'
import { rowOf } from '../support/facts'
import { type OldVendor, seconds, startOldVendor, VENDOR_KEY } from '../support/old-vendor'

let s: Stage
let vendor: OldVendor
beforeAll(async () => {
  s = await stage()
  vendor = startOldVendor(() => s.ctx.clock.now() + 412)
})
afterAll(() => s.close())

/** Takes everybody of earlier tests out, here and there. */
async function only(...people: Partial<MadePerson>[]): Promise<Map<string, string>> {
  const { subscribers, purchases, compareRuns } = s.ctx.tables
  await s.ctx.write(async ({ db }) => {
    await db.delete(subscribers)
    await db.delete(purchases)
    await db.update(compareRuns).set({ status: 'CANCELLED', owner: null })
  })
  vendor.people.clear()
  vendor.asked.length = 0
  vendor.trouble = () => null
  const whole = people.map((one, n) => ({ label: `user_${n}`, deviceKey: `svc_${n}`, there: {}, ...one }))
  return writePeople(s, vendor, whole)
}

const now = () => s.ctx.clock.now()
const month = (n: number): Partial<MadePerson> => ({ bought: [{ transaction: `9${n}` }], there: pro(now(), `9${n}`) })
const many = (count: number) => Array.from({ length: count }, (_, n) => month(n))

async function compared(...more: string[]) {
  const csv = join(freshFolder(), 'differences.csv')
  const ran = await runCompare(s, orderArgs(s, vendor, '--csv', csv, '--json', ...more))
  const text = existsSync(csv) ? readFileSync(csv, 'utf8') : ''
  return { ...ran, text, rows: csvRows(text), view: ran.out.startsWith('{') ? JSON.parse(ran.out) : null }
}

const QUICK: Waits = { firstMs: 1, longestMs: 4, patienceMs: 2 * MINUTE, timeoutMs: MINUTE, secondMs: 0 }

const ORDER = { vendor: 'revenuecat', isTrusted: true, sealedKey: null, sample: null, skipSandbox: true } as const

/** A run without the command line, so that its waits are short. */
async function performed({ key = VENDOR_KEY, waits = QUICK, resume = false } = {}) {
  const { id: projectId } = s.project
  const order = { ...ORDER, projectId, actor: CLI_ACTOR, url: vendor.url, rate: 0, isScheduled: false }
  const run = resume ? await continueRun(s.ctx, projectId, null) : await beginRun(s.ctx, order)
  if (!run) throw new Error('there is no run')
  return performRun(s.ctx, run, { key, waits, signal: new AbortController().signal })
}

describe('what the vendor is asked', () => {
  test('is every person once, by the label or an id of the vendor, with the key as a bearer', async () => {
    const anonymous = `$RCAnonymousID:${'ab'.repeat(16)}`
    await only(month(0), { ...month(1), label: null, deviceKey: anonymous }, { label: null }, { label: 'NaN' })
    vendor.headers.length = 0
    const { code, view } = await compared()
    expect(code).toBe(0)
    expect(vendor.asked.toSorted()).toEqual([anonymous, 'user_0'])
    expect(view.counters).toMatchObject({ people: 2, done: 2, equal: 2, refused: 1, withoutId: 2 })
    for (const headers of vendor.headers) {
      expect(headers.authorization).toBe(`Bearer ${VENDOR_KEY}`)
      expect(headers).not.toHaveProperty('x-platform')
    }
  })

  test('ids are encoded whatever they contain', async () => {
    const labels = ['a/b', 'ü ?#&=%', 'a@example.com', '../../v1/admin', '=1+1']
    await only(...labels.map((label, n) => ({ ...month(n), label })))
    expect((await compared()).code).toBe(0)
    expect(vendor.asked.toSorted()).toEqual(labels.toSorted())
  })

  test('a sample is the same one each time', async () => {
    await only(...many(40))
    const first = await compared('--sample', '10')
    const asked = [...vendor.asked]
    const second = await compared('--sample', '10')
    expect(vendor.asked.slice(10).toSorted()).toEqual(asked.toSorted())
    expect([first.view.counters.done, second.view.counters.done]).toEqual([10, 10])
    expect((await compared('--sample', '4000')).view.counters.done).toBe(40)
  })

  test('the other ids of a person are asked only when something differs', async () => {
    const anonymous = `$RCAnonymousID:${'cd'.repeat(16)}`
    const ids = await only(month(0), { ...month(1), there: {} })
    const [id] = [ids.get('svc_1')]
    const row = await rowOf(s, 'svc_1')
    const merged = { ...row, id: s.ctx.ids.next('sub'), deviceKey: anonymous, appUserId: null, mergedInto: id ?? null }
    await s.ctx.write((tx) => tx.db.insert(tx.tables.subscribers).values(merged))
    vendor.people.set(anonymous, { original_app_user_id: anonymous, ...pro(now(), '91') })
    expect((await compared()).code).toBe(0)
    expect(vendor.asked.toSorted()).toEqual([anonymous, 'user_0', 'user_1'])
  })
})

describe('what is not a difference', () => {
  test('one person there who is two rows here', async () => {
    const anonymous = `$RCAnonymousID:${'ef'.repeat(16)}`
    const there = { ...pro(now(), '90'), original_app_user_id: anonymous }
    await only({ ...month(0), there }, { label: null, deviceKey: anonymous, there })
    expect((await compared()).code).toBe(0)
  })

  test('also when only the purchase leads from one to the other', async () => {
    const both = { ...pro(now(), '90'), original_app_user_id: '$RCAnonymousID:gone' }
    await only({ ...month(0), there: both }, { there: both })
    expect((await compared()).code).toBe(0)
  })

  test('somebody who was unknown there, also when the reading is repeated', async () => {
    await only({ there: null }, month(1))
    const { code, view } = await compared()
    expect([code, view.counters.unknownThere]).toEqual([0, 1])
  })
})

describe('what differs', () => {
  test('is written with the reason of explain, and cells that a spreadsheet would run are harmless', async () => {
    await only({ bought: [{ transaction: '5', refundedAt: now() - DAY }], there: pro(now(), '5'), label: '=cmd|x' })
    const { code, rows, text } = await compared()
    expect(code).toBe(3)
    expect(text.split('\r\n')[1]).toStartWith("'=cmd|x,")
    expect(rows).toEqual([
      {
        ...{ person: '=cmd|x', kind: 'ACCESS_ONLY_THERE', ours: 'pro: no access' },
        theirs: expect.stringContaining('pro: until 20'),
        reason: expect.stringMatching(/^REFUNDED: com\.x\.pro\.monthly \(IOS_STORE\) 5 until .*: it was refunded$/),
      },
    ])
  })

  test('a person whom the vendor did not know, and who has an access here', async () => {
    await only({ ...month(0), there: null })
    expect((await compared()).rows).toMatchObject([{ person: 'user_0', kind: 'PERSON_UNKNOWN_THERE' }])
  })

  test('an owner, once, whoever of the two is asked first', async () => {
    await only({ ...month(0), there: {} }, { there: pro(now(), '90') })
    expect((await compared()).rows).toMatchObject([{ person: 'user_1', kind: 'OTHER_OWNER' }])
    await only({ there: pro(now(), '91') }, { ...month(1), there: {} })
    const { rows, view } = await compared()
    expect(rows).toMatchObject([{ person: 'user_0', kind: 'OTHER_OWNER' }])
    expect(view).toMatchObject({ differences: 1, kinds: { OTHER_OWNER: 1 }, counters: { differing: 1, equal: 1 } })
  })

  test('sandbox purchases only when they are asked for', async () => {
    await only({ there: pro(now(), '90', { is_sandbox: true }) })
    expect((await compared()).code).toBe(0)
    expect((await compared('--include-sandbox')).rows).toMatchObject([{ kind: 'ACCESS_ONLY_THERE' }])
  })

  test('is summed up for people, by kind', async () => {
    await only({ ...month(0), there: {} }, month(1), { there: pro(now(), '7', { store: 'amazon' }) })
    const ran = await runCompare(s, orderArgs(s, vendor))
    expect([ran.code, ran.err]).toEqual([3, ''])
    expect(ran.out.split('\n')).toEqual([
      expect.stringMatching(/^3 compared \(cmp_.*\): 1 difference, in 1\.$/),
      '1  an access only here',
      'Left out, because the vendor cannot know any of their ids: 1',
      'Buyers at amazon, a store that is not here: 1',
    ])
  })
})

describe('people who are read again', () => {
  test('are those whose access ends just now', async () => {
    const close = { expires_date: seconds(now() + 3000) }
    await only({ bought: [{ transaction: '90', expiresAt: now() - 2000 }], there: pro(now(), '90', close) }, month(1))
    vendor.trouble = (_id, count) => {
      // By the second reading the other service has heard of the end, too.
      if (vendor.asked.length === 2)
        vendor.people.set('user_0', pro(now(), '90', { expires_date: seconds(now() - 2000) }))
      if (vendor.asked.length === 2) s.ctx.clock.advance(60_000)
      return count < 0 ? new Response() : null
    }
    const run = await performed()
    expect([run.kinds, run.counters.later, run.counters.done]).toEqual([{}, 1, 2])
    expect(vendor.asked.toSorted()).toEqual(['user_0', 'user_0', 'user_1'])
  }, 600_000)

  test('are those of whom news came during the reading', async () => {
    await only(month(1))
    const device = 'svc_news'
    const payload = s.buy(MONTHLY)
    await s.receipt(device, payload)
    await s.ctx.write((tx) =>
      tx.db.update(tx.tables.subscribers).set({ appUserId: 'news' }).where(eq(tx.tables.subscribers.deviceKey, device)),
    )
    vendor.people.set(
      'news',
      pro(now(), payload.transactionId, {
        ...{ is_sandbox: true, purchase_date: seconds(now()), expires_date: seconds(payload.expiresDate ?? 0) },
      }),
    )
    const run = await performed()
    expect([run.counters.later, run.counters.done, run.kinds]).toEqual([1, 2, {}])
    expect(vendor.asked.filter((id) => id === 'news')).toHaveLength(2)
  })
})

describe('a vendor in trouble', () => {
  test('429 in storms and 500 now and then are waited for, and are no differences', async () => {
    await only(...many(60), { ...month(99), there: {} })
    const busy = () => new Response('slow down', { status: 429, headers: { 'retry-after': '0' } })
    vendor.trouble = (_id, count) =>
      count % 3 === 0 ? busy() : count % 11 === 0 ? new Response('<html>', { status: 500 + (count % 4) }) : null
    const run = await performed()
    expect([run.status, run.kinds, run.counters.faults]).toEqual(['COMPLETED', { ACCESS_ONLY_HERE: 1 }, 0])
    expect(vendor.asked).toHaveLength(61)
  }, 600_000)

  test('429 without an end stops the run, which goes on later', async () => {
    await only(...many(30))
    vendor.trouble = () => (vendor.asked.length >= 10 ? new Response('', { status: 429 }) : null)
    await expect(performed({ waits: { ...QUICK, patienceMs: 50 } })).rejects.toThrow('has not answered for a long time')
    await s.ctx.write((tx) => tx.db.update(tx.tables.compareRuns).set({ owner: null }))
    vendor.trouble = () => null
    const run = await performed({ resume: true })
    expect([run.status, run.counters.done]).toEqual(['COMPLETED', 30])
  }, 600_000)

  test('a key that is refused ends the run at once, also while other answers are waited for', async () => {
    await only(...many(3))
    const refused = new Response('', { status: 401 })
    vendor.trouble = (id) => (id === 'user_2' ? refused : new Promise(() => {}))
    await expect(performed({ waits: { ...QUICK, timeoutMs: DAY } })).rejects.toThrow('The vendor refuses the key')
    expect(vendor.asked).toEqual([])
  }, 600_000)

  test('answers that come too late are asked for again', async () => {
    await only(...many(3))
    const late = new Set<string>()
    vendor.trouble = (id) => {
      if (late.has(id)) return null
      late.add(id)
      return new Promise(() => {})
    }
    const run = await performed({ waits: { ...QUICK, timeoutMs: 100 } })
    expect([run.status, run.counters.faults, late.size]).toEqual(['COMPLETED', 0, 3])
  }, 600_000)

  test('garbage is about that person, and makes the exit 1 and not 3', async () => {
    await only(...many(3))
    vendor.trouble = (id) => (id === 'user_1' ? Response.json({ subscriber: 'gone' }) : null)
    const { code, view, rows } = await compared()
    expect([code, rows]).toEqual([1, []])
    expect(view).toMatchObject({ differences: 0, counters: { faults: 1, equal: 2 } })
  })

  test('an address that is not the API stops the run', async () => {
    await only(...many(40))
    vendor.trouble = () => new Response('not here', { status: 404 })
    const { code, out } = await compared()
    expect(code).toBe(1)
    expect(JSON.parse(out).error.message).toContain('20 answers in a row could not be used: the answer is HTTP 404')
  })

  test('a wrong key stops the run with one sentence that does not show it', async () => {
    await only(...many(3))
    const wrong = 'sk_wrong_and_secret'
    const ran = await runCompare(s, orderArgs(s, vendor), { env: { [KEY_ENV]: wrong } })
    expect(ran.code).toBe(1)
    expect(ran.err).toContain('The vendor refuses the key (HTTP 401)')
    expect(ran.err).not.toContain(wrong)
    const resumed = await runCompare(s, resumeArgs(s))
    expect([resumed.err, resumed.code]).toEqual(['', 0])
    const rows = await s.ctx.db.select().from(s.ctx.tables.compareRuns)
    expect(JSON.stringify(rows)).not.toContain(VENDOR_KEY)
    expect(JSON.stringify(rows)).not.toContain(wrong)
    expect(s.ctx.lines.join('')).not.toContain(VENDOR_KEY)
  })
})

describe('wrong usage', () => {
  const cases: [name: string, args: string[], sentence: string][] = [
    ['no vendor', ['--key-env', KEY_ENV], '--vendor is missing'],
    ['another vendor', ['--vendor', 'qonversion', '--key-env', KEY_ENV], '--vendor takes revenuecat'],
    ['no variable', ['--vendor', 'revenuecat'], '--key-env is missing'],
    [
      'the key itself',
      ['--vendor', 'revenuecat', '--key-env', 'sk_a.b-c'],
      'takes the name of an environment variable',
    ],
    ['a variable that is not set', ['--vendor', 'revenuecat', '--key-env', 'NOTHING_HERE'], 'NOTHING_HERE is not set'],
    ['a sample of none', ['--vendor', 'revenuecat', '--key-env', KEY_ENV, '--sample', '0'], '--sample takes'],
    ['a rate below zero', ['--vendor', 'revenuecat', '--key-env', KEY_ENV, '--rate', '-1'], '--rate'],
    ['a rate that is text', ['--vendor', 'revenuecat', '--key-env', KEY_ENV, '--rate', 'fast'], '--rate takes'],
    ['an action that is none', ['everything'], 'compare does not know "everything"'],
    ['a sample at a resume', ['--resume', '--key-env', KEY_ENV, '--sample', '5'], 'takes no --sample'],
  ]
  for (const [name, args, sentence] of cases)
    test(name, async () => {
      const ran = await runCompare(s, args)
      expect(ran.code).toBe(2)
      expect(ran.err).toContain(sentence)
    })

  test('nothing to go on with', async () => {
    await only(month(0))
    expect((await compared()).code).toBe(0)
    const ran = await runCompare(s, resumeArgs(s))
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('There is no comparison to go on with')])
  })

  test('an address with a password or a query', async () => {
    for (const url of ['ftp://x', 'http://a:b@127.0.0.1', 'http://127.0.0.1/?key=1', 'nowhere'])
      expect((await runCompare(s, orderArgs(s, { url }))).code).not.toBe(0)
  })
})

test('an interruption ends cleanly, and --resume goes on', async () => {
  await only(...many(20))
  let stop = () => {}
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  vendor.trouble = () => {
    if (vendor.asked.length === 10) stop()
    return null
  }
  const ran = await runCompare(s, orderArgs(s, vendor, '--rate', '1000'), { stopped })
  expect(ran.code).toBe(1)
  expect(ran.err).toContain('the command was interrupted. The same command with --resume goes on')
  vendor.trouble = () => null
  const resumed = await runCompare(s, resumeArgs(s))
  expect([resumed.err, resumed.code]).toEqual(['', 0])
})

test('progress shows how many people are done, and never the key', async () => {
  await only(...many(60))
  vendor.trouble = () => Bun.sleep(40).then(() => null)
  const ran = await runCompare(s, orderArgs(s, vendor, '--rate', '1000'), { isTerminal: true })
  expect([ran.code, ran.progress.length > 0]).toEqual([0, true])
  for (const line of ran.progress) expect(line).toMatch(/^Comparing \[[#.]+\] .* of 60 people/)
})
