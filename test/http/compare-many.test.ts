import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/base/lib/clock'
import { type Stage, stage } from '../support/cast'
import { orderArgs, resumeArgs, runCompare, spawnCompare } from '../support/compare-command'
import { writePeople } from '../support/compared-people'
import { makeWorld, type Planted } from '../support/compared-world'
import { csvRows, freshFolder } from '../support/exports'
import { type OldVendor, startOldVendor } from '../support/old-vendor'
import { moreInRelease } from '../support/release'

const PEOPLE = moreInRelease(2000, 10_000)

let s: Stage
let vendor: OldVendor
let planted: Planted[]
beforeAll(async () => {
  // A process of its own takes part, so the clock of the stage shows the real time.
  s = await stage({ now: systemClock.now() })
  vendor = startOldVendor(() => s.ctx.clock.now() + 412)
  const world = makeWorld(s.ctx.clock.now(), PEOPLE)
  planted = world.planted
  await writePeople(s, vendor, world.people)
}, 600_000)
afterAll(() => s.close())

const sorted = (found: readonly Planted[]) => found.map(({ person, kind }) => `${person} ${kind}`).toSorted()

describe('thousands of people with 37 planted differences of 9 kinds', () => {
  test('are what they claim to be', () => {
    expect([planted.length, new Set(planted.map(({ kind }) => kind)).size]).toEqual([37, 9])
    expect(new Set(planted.map(({ person }) => person)).size).toBe(37)
  })

  test('are found, and nothing else', async () => {
    const csv = join(freshFolder(), 'differences.csv')
    const ran = await runCompare(s, orderArgs(s, vendor, '--csv', csv, '--json'))
    const text = readFileSync(csv, 'utf8')
    const rows = csvRows(text).map(({ person = '', kind = '' }) => ({ person, kind }))
    expect(sorted(rows)).toEqual(sorted(planted))
    expect([ran.code, ran.err]).toEqual([3, ''])
    const view = JSON.parse(ran.out)
    expect(view).toMatchObject({ status: 'COMPLETED', differences: 37, counters: { people: PEOPLE, done: PEOPLE } })
    expect(view.counters).toMatchObject({ equal: PEOPLE - 37, differing: 37, faults: 0, later: 0, undecided: 0 })
    expect(text.split('\r\n')[0]).toBe('person,kind,ours,theirs,reason')
    const reasons = csvRows(text).filter(({ kind }) => kind === 'ACCESS_ONLY_HERE')
    for (const { reason } of reasons) expect(reason).toStartWith('ACTIVE_BEFORE_END: com.x.pro.monthly (IOS_STORE)')
  }, 600_000)

  test('are the same after the process was killed twice in the middle', async () => {
    const before = vendor.asked.length
    for (const [args, until] of [
      [orderArgs(s, vendor), 0.3 * PEOPLE],
      [resumeArgs(s), 0.7 * PEOPLE],
    ] as const) {
      const running = spawnCompare(s, args)
      while (vendor.asked.length < before + until) await Bun.sleep(5)
      running.kill('SIGKILL')
      await running.exited
    }
    const csv = join(freshFolder(), 'differences.csv')
    const ran = await runCompare(s, resumeArgs(s, '--csv', csv))
    expect([ran.code, ran.err]).toEqual([3, ''])
    expect(sorted(csvRows(readFileSync(csv, 'utf8')).map(({ person = '', kind = '' }) => ({ person, kind })))).toEqual(
      sorted(planted),
    )
    // What was asked twice is the part that was in work when the process was killed.
    expect(vendor.asked.length - before).toBeLessThan(PEOPLE + 1000)
  }, 600_000)
})
