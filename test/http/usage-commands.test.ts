import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { billingCommand } from '../../src/projects/usage/billing-command'
import { usageCommand } from '../../src/projects/usage/command'
import { checkDays } from '../../src/projects/usage/disk'
import { daysUntilFull } from '../../src/projects/usage/disk-forecast'
import { saveLevels } from '../../src/projects/usage/levels'
import { type Stage, stage } from '../support/cast'
import { runBeside } from '../support/command'
import { postEvent } from '../support/telemetry'

let s: Stage
beforeAll(async () => {
  s = await stage()
  for (const eventId of ['a', 'b', 'b']) await postEvent(s, { eventId })
})
afterAll(() => s.close())

const slug = async () => (await s.ctx.state.projects.get(s.project.id)).slug
const usage = async (...args: string[]) => runBeside(s, usageCommand, '--project', await slug(), ...args)
const billing = async (...args: string[]) => runBeside(s, billingCommand, ...args, '--project', await slug())

describe('refused', () => {
  test.each([
    ['a month that is none', ['--month', '2026-13'], '2026-13'],
    ['an empty month', ['--month', ''], '--month'],
    ['an argument', ['november'], 'no arguments'],
  ])('svc usage with %s', async (_, args, word) => {
    const { code, err } = await usage(...args)
    expect([code, err]).toEqual([2, expect.stringContaining(word)])
  })

  test.each([
    ['no action', []],
    ['another action', ['pay']],
    ['two actions', ['recount', 'recount']],
    ['a month that is none', ['recount', '--month', 'november']],
  ])('svc billing with %s', async (_, args) => {
    expect((await billing(...args)).code).toBe(2)
  })

  test('a project that does not exist', async () => {
    const { code, err } = await runBeside(s, billingCommand, 'recount', '--project', 'none')
    expect([code, err]).toEqual([1, expect.stringContaining('none')])
  })
})

describe('svc usage', () => {
  test('prints the meters of the month with their parts', async () => {
    const { code, out } = await usage()
    expect(code).toBe(0)
    expect(out).toContain('2026-11 (UTC)')
    expect(out).toMatch(/^events +2 +- +\d+ +0$/m)
    expect(out).toMatch(/^ {2}telemetry +2$/m)
  })

  test('prints the answer of the route with --json', async () => {
    const { out } = await usage('--json', '--month', '2026-10')
    const { period, meters } = JSON.parse(out)
    expect(period).toEqual({ start: '2026-10-01T00:00:00.000Z', end: '2026-11-01T00:00:00.000Z' })
    expect(meters.find(({ name }: { name: string }) => name === 'events')).toMatchObject({ used: 0, parts: [{}, {}] })
  })
})

describe('svc billing recount', () => {
  test('ends with 0 when every meter is what is there', async () => {
    const { code, out, err } = await billing('recount')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^telemetry +2 +2$/m)
  })

  test('ends with 3 and names the day when one is not', async () => {
    const day = Math.floor(s.ctx.clock.now() / DAY)
    const row = { projectId: s.project.id, meter: 'telemetry', day, writer: -1, used: 1 } as const
    await s.ctx.write(async ({ db, tables }) => db.insert(tables.usageDays).values(row))
    const { code, err } = await billing('recount')
    expect([code, err]).toEqual([3, 'On 2026-11-20, telemetry was counted 3 times, and there are 2.'])
    const { differences } = JSON.parse((await billing('recount', '--json')).out)
    expect(differences).toEqual([{ meter: 'telemetry', day: '2026-11-20', counted: 3, found: 2 }])
  })
})

describe('the disk', () => {
  const cases: [name: string, free: [day: number, free: number][], now: number, days: number | null][] = [
    [
      'that becomes full by ten bytes a day',
      [
        [1, 130],
        [2, 120],
        [3, 110],
      ],
      100,
      10,
    ],
    [
      'that becomes emptier',
      [
        [1, 100],
        [2, 110],
        [3, 120],
      ],
      130,
      null,
    ],
    [
      'that stays as it is',
      [
        [1, 100],
        [2, 100],
        [3, 100],
      ],
      100,
      null,
    ],
    [
      'that is known for two days',
      [
        [1, 130],
        [2, 120],
      ],
      110,
      null,
    ],
    ['of which nothing is known', [], 110, null],
  ]
  test.each(cases)('%s', (_, free, now, days) => {
    expect(daysUntilFull(new Map(free), now)).toEqual(days === null ? null : expect.closeTo(days, 6))
  })

  test('under 30 days are a warning', () => {
    expect(checkDays(29.9)).toMatchObject({ status: 'warn', message: expect.stringContaining('29 days') })
    expect(checkDays(30)).toMatchObject({ status: 'ok' })
  })

  test('levels are saved once for each day, the last one wins', async () => {
    await saveLevels(s.ctx)
    await saveLevels(s.ctx)
    s.ctx.clock.advance(DAY)
    await saveLevels(s.ctx)
    const rows = await s.ctx.db.select().from(s.ctx.tables.usageLevels)
    const days = rows.filter(({ projectId, name }) => projectId === s.project.id && name === 'subscribers')
    expect(days.map(({ value }) => value)).toEqual([0, 0])
    const { out } = await usage('--json')
    expect(out).toContain('"name":"subscribers","kind":"LEVEL","used":0')
  })
})
