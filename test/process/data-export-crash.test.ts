import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { HOUR, systemClock } from '../../src/base/lib/clock'
import { envOf } from '../support/backup'
import { type Stage, stage } from '../support/cast'
import { type Exported, freshFolder, jsonRows, readExport } from '../support/exports'
import { rowOf } from '../support/facts'
import { childEnv, svcCommand } from '../support/process'

const PEOPLE = 40_000
const BATCH = 500

let s: Stage
let env: Record<string, string>
beforeAll(async () => {
  s = await stage({ now: systemClock.now() - HOUR }) // The process has the clock of the machine.
  env = envOf(s.ctx)
  await s.get('/v1/me', 'svc_ada')
  const row = await rowOf(s, 'svc_ada')
  const { subscribers, ledger } = s.ctx.tables
  for (let from = 0; from < PEOPLE; from += BATCH) {
    const numbers = Array.from({ length: BATCH }, (_, n) => from + n)
    const people = numbers.map((n) => ({ ...row, id: s.ctx.ids.next('sub'), deviceKey: `svc_${n}` }))
    const booked = people.map(({ id }) => ({
      ...{ id: s.ctx.ids.next('vtx'), projectId: s.project.id, subscriberId: id, currencyId: 'vcy_x', number: 1 },
      ...{ type: 'BONUS' as const, amount: 1n, balance: 1n, createdAt: row.createdAt },
    }))
    await s.ctx.write(async (tx) => {
      await tx.db.insert(subscribers).values(people)
      await tx.db.insert(ledger).values(booked)
    })
  }
})
afterAll(() => s.close())

const ARGUMENTS = ['export-data', '--project', 'project-1', '--format', 'jsonl', '--table', 'subscribers,events,ledger']

function start(to: string) {
  return Bun.spawn([...svcCommand(), ...ARGUMENTS, '--to', to], {
    env: { ...childEnv(), ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

/** The folder of the one run, when it is there. */
const runIn = (to: string): string | undefined => readdirSync(to)[0]

/** Kills the export with SIGKILL as soon as this file is there. */
async function killAt(to: string, file: string): Promise<number | NodeJS.Signals | null> {
  const child = start(to)
  const isThere = () => existsSync(join(to, runIn(to) ?? 'none', file))
  while (!isThere() && child.exitCode === null) await new Promise(setImmediate)
  child.kill('SIGKILL')
  await child.exited
  return child.signalCode
}

const rowsOf = (to: string) => {
  const found: Omit<Exported, 'ran'> = readExport(join(to, runIn(to) ?? ''))
  return { found, rows: ['subscribers', 'events', 'ledger'].map((table) => jsonRows(found, table)) }
}

const MOMENTS = ['.subscribers-000001.jsonl.part', 'subscribers-000001.jsonl', '.ledger-000001.jsonl.part']

test('an export that is killed at any moment goes on with the same command, and ends as if undisturbed', async () => {
  const whole = freshFolder()
  expect(await start(whole).exited).toBe(0)
  const wanted = rowsOf(whole).rows
  expect(wanted[0]).toHaveLength(PEOPLE + 1)
  for (const moment of MOMENTS) {
    const to = freshFolder()
    expect([moment, await killAt(to, moment)]).toEqual([moment, 'SIGKILL'])
    expect(readdirSync(join(to, runIn(to) ?? ''))).not.toContain('manifest.json')
    const again = start(to)
    const err = await new Response(again.stderr).text()
    expect([await again.exited, err.trim()]).toEqual([0, 'This goes on with an export that was interrupted.'])
    expect(readdirSync(to)).toHaveLength(1)
    const { found, rows } = rowsOf(to)
    expect([...found.files.keys()].filter((name) => name.startsWith('.'))).toEqual([])
    expect(rows).toEqual(wanted)
    expect(found.manifest.files.map(({ rows }: { rows: number }) => rows)).toEqual(wanted.map(({ length }) => length))
  }
}, 600_000)
