import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Stage, stage } from '../support/cast'
import { orderArgs, resumeArgs, runCompare } from '../support/compare-command'
import { type MadePerson, pro, writePeople } from '../support/compared-people'
import { erase } from '../support/erased'
import { csvRows, freshFolder } from '../support/exports'
import { type OldVendor, seconds, startOldVendor } from '../support/old-vendor'
import { staff } from '../support/staff'

// People whom only the vendor knows: they are asked about from a list.

let s: Stage
let vendor: OldVendor
let folder: string
beforeEach(async () => {
  s = await stage()
  vendor = startOldVendor(() => s.ctx.clock.now() + 412)
  folder = freshFolder()
  const month = (n: number): MadePerson => ({
    ...{ label: `user_${n}`, deviceKey: `svc_${n}`, bought: [{ transaction: `9${n}` }] },
    there: pro(s.ctx.clock.now(), `9${n}`),
  })
  await writePeople(s, vendor, [month(0), month(1), month(2)])
})
afterEach(() => s.close())

const now = () => s.ctx.clock.now()
const there = (id: string, subscriber: Record<string, unknown> = pro(now(), `8${id}`)) =>
  vendor.people.set(id, { original_app_user_id: id, first_seen: seconds(now() - 9e9), ...subscriber })

function list(text: string | Uint8Array, name = 'people.txt'): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

async function compared(people: string, ...more: string[]) {
  const csv = join(folder, 'differences.csv')
  const ran = await runCompare(s, orderArgs(s, vendor, '--csv', csv, '--json', '--people', people, ...more))
  const rows = existsSync(csv) ? csvRows(readFileSync(csv, 'utf8')) : []
  return { ...ran, rows, view: ran.out.startsWith('{') ? JSON.parse(ran.out) : null }
}

describe('a list of ids', () => {
  test('finds people with something there who are not here, and asks about nobody twice', async () => {
    there('lost_1')
    there('lost_2')
    there('visitor', {})
    const { code, rows, view } = await compared(list('lost_1\r\nuser_0\n\nlost_2\nvisitor\nstranger\nlost_1\nnull\n'))
    expect(code).toBe(3)
    const reason = 'the project has nobody with this id'
    const [ours, theirs] = ['unknown', 'pro']
    expect(rows.toSorted((a, b) => ((a.person ?? '') < (b.person ?? '') ? -1 : 1))).toEqual([
      { person: 'lost_1', kind: 'PERSON_UNKNOWN_HERE', ours, theirs, reason },
      { person: 'lost_2', kind: 'PERSON_UNKNOWN_HERE', ours, theirs, reason },
    ])
    expect(view.kinds).toEqual({ PERSON_UNKNOWN_HERE: 2 })
    expect(view.counters).toMatchObject({ people: 7, done: 7, listed: 4, equal: 5, differing: 2, unknownThere: 1 })
    expect(vendor.asked.toSorted()).toEqual(['lost_1', 'lost_2', 'stranger', 'user_0', 'user_1', 'user_2', 'visitor'])
  })

  test('with people who are here, under any of their ids, adds nothing', async () => {
    there('alias_of_1', { ...pro(now(), '91'), original_app_user_id: 'user_1' })
    const { code, view } = await compared(list('user_0\nsvc_1\nalias_of_1\n'))
    expect([code, view.kinds, view.counters.listed]).toEqual([0, {}, 1])
  })

  test('is in the dashboard without an id of ours, and goes with the person who comes and is erased', async () => {
    there('lost_1')
    const { view } = await compared(list('lost_1'))
    const admin = staff(s).as('ADMIN')
    const findings = async () => (await admin.get(`/compare/runs/${view.id}/findings`)).body.data.items
    expect(await findings()).toMatchObject([{ subscriberId: null, person: 'lost_1', kind: 'PERSON_UNKNOWN_HERE' }])
    const { body } = await s.post('/v1/identify', { deviceKey: 'svc_new', appUserId: 'lost_1' })
    await erase(s, body.data.subscriberId)
    expect(await findings()).toEqual([])
    vendor.asked.length = 0
    const again = await compared(list('lost_1'))
    expect([again.code, again.view.kinds, vendor.asked.includes('lost_1')]).toEqual([0, {}, false])
  })

  test('says nothing about people who are erased while the others of their part are read', async () => {
    there('lost_1')
    const wrong = new Set(['user_0', 'user_1'])
    const { subscribers: t } = s.ctx.tables
    vendor.trouble = async (id) => {
      if (id === 'user_2') {
        const rows = await s.ctx.db.select().from(t)
        for (const one of ['user_0', 'svc_1']) {
          const row = rows.find(({ appUserId, deviceKey }) => appUserId === one || deviceKey === one)
          await erase(s, row?.id ?? '')
        }
      }
      return wrong.has(id) ? new Response('{', { status: 200 }) : null
    }
    const { rows, view } = await compared(list('lost_1'))
    expect(rows.map(({ person }) => person)).toEqual(['lost_1'])
    expect(view.counters).toMatchObject({ done: 4, faults: 0 })
    const findings = await s.ctx.db.select().from(s.ctx.tables.compareFindings)
    expect(findings.map(({ person }) => person)).toEqual(['lost_1'])
  })

  test('may be a CSV file of the vendor', async () => {
    there('=lost "1"')
    there('lost_2')
    const file = 'country;rc_original_app_user_id;rc_last_seen_app_user_id_alias\nDE;x;"=lost ""1"""\nFR;lost_2;\n'
    const { rows } = await compared(list(`\ufeff${file}`, 'people.csv'))
    expect(rows.map(({ person }) => person).toSorted()).toEqual(['=lost "1"', 'lost_2'])
  })

  test('that was interrupted goes on behind the last one, and only with the list', async () => {
    const ids = Array.from({ length: 450 }, (_, n) => `lost_${String(n).padStart(3, '0')}`)
    for (const id of ids) there(id)
    const path = list(ids.join('\n'))
    vendor.trouble = (id) => (id === 'lost_300' ? new Response('', { status: 401 }) : null)
    const first = await compared(path)
    expect([first.code, first.err]).toEqual([1, expect.stringContaining('refuses the key')])
    vendor.trouble = () => null
    vendor.asked.length = 0
    const without = await runCompare(s, resumeArgs(s))
    expect([without.code, without.err]).toEqual([2, expect.stringContaining('with --people')])
    const rest = await runCompare(s, resumeArgs(s, '--json', '--people', path))
    const view = JSON.parse(rest.out)
    expect([rest.code, view.kinds]).toEqual([3, { PERSON_UNKNOWN_HERE: 450 }])
    expect(view.counters).toMatchObject({ people: 453, done: 453, differing: 450, equal: 3 })
    expect(vendor.asked.toSorted()[0]).toBe('lost_200')
  })

  test('that is none is refused before the vendor is asked', async () => {
    for (const path of [
      join(folder, 'none'),
      list(''),
      list('\n \n'),
      list(new Uint8Array([0xff])),
      list('x'.repeat(256)),
    ])
      expect([1, 2]).toContain((await compared(path)).code)
    expect(vendor.asked).toEqual([])
    expect(await s.ctx.db.select().from(s.ctx.tables.compareRuns)).toEqual([])
  })
})
