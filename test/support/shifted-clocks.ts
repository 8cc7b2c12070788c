import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DAY, SECOND, systemClock } from '../../src/base/lib/clock'

/**
 * Runs the suites at instants that software often handles wrongly, and reports which test failed at which instant: `bun
 * run test:clocks [--moment NAME]... [PATH]...`. It is run before a release: all of it takes five times as long as the
 * suites.
 */
const SUITES = ['src', 'test/http', 'test/stories', 'test/process']

interface Moment {
  name: string
  /** The instant at which the clock of the tests starts. */
  at: number
  zone: string
}

/** The clock passes the last three instants while the tests run. */
function momentsFrom(now: number): Moment[] {
  const year = new Date(now).getUTCFullYear()
  return [
    { name: 'ahead', at: now + 400 * DAY, zone: 'UTC' },
    { name: 'leap-day', at: Date.UTC(leapYearFrom(year + 5), 1, 29, 12), zone: 'UTC' },
    {
      name: 'clocks-forward',
      at: sundayFrom(year + 1, 2, 25) + Date.UTC(1970, 0, 1, 0, 59, 50),
      zone: 'Europe/Berlin',
    },
    {
      name: 'clocks-back',
      at: sundayFrom(year + 1, 10, 1) + Date.UTC(1970, 0, 1, 5, 59, 50),
      zone: 'America/New_York',
    },
    { name: 'year-end', at: Date.UTC(year + 2, 0, 1) - SECOND, zone: 'UTC' },
  ]
}

function leapYearFrom(year: number): number {
  return new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1 ? year : leapYearFrom(year + 1)
}

/** The first Sunday on or after a date. */
function sundayFrom(year: number, month: number, date: number): number {
  const weekday = new Date(Date.UTC(year, month, date)).getUTCDay()
  return Date.UTC(year, month, date + ((7 - weekday) % 7))
}

/**
 * Loads the library of faketime through variables only, so that tests can pass them to the processes they start
 * (`clockEnv`). The shift is a distance, because with a fixed start the clock of each process would begin there again.
 * The monotonic clock, which measures durations and drives timers, and the times of files are not shifted.
 */
const shifted = ({ at, zone }: Moment): Record<string, string> => ({
  LD_PRELOAD: '/usr/$LIB/faketime/libfaketimeMT.so.1',
  FAKETIME: signed((at - systemClock.now()) / SECOND),
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  NO_FAKE_STAT: '1',
  TZ: zone,
})

const signed = (seconds: number): string => (seconds < 0 ? String(seconds) : `+${seconds}`)

/** Runs the suites at one instant; true when every test passed. */
async function holdsAt(moment: Moment, paths: readonly string[], folder: string): Promise<boolean> {
  const log = join(folder, `${moment.name}.log`)
  const sink = openSync(log, 'w')
  const child = Bun.spawn([process.execPath, 'test', '--timeout', '120000', ...paths], {
    env: { ...process.env, ...shifted(moment), FORCE_COLOR: undefined },
    stdio: ['ignore', sink, sink],
  })
  const code = await child.exited
  closeSync(sink)
  const text = readFileSync(log, 'utf8')
  console.log(`${moment.name} (${new Date(moment.at).toISOString()}, ${moment.zone}): ${totals(text)}`)
  for (const line of failures(text)) console.log(`  ${line}`)
  if (code !== 0) console.log(`  ended with code ${code}; see ${log}`)
  return code === 0
}

const totals = (text: string): string =>
  text
    .match(/^ *\d+ (pass|skip|fail|errors?)$/gm)
    ?.map((one) => one.trim())
    .join(', ') ?? 'no test ran'

/** The failed tests with their files, each once. */
function failures(text: string): string[] {
  const found: string[] = []
  let file = ''
  for (const line of text.split('\n')) {
    if (/^\S+\.test\.ts:$/.test(line)) file = line
    else if (/^\d+ tests? failed:$/.test(line)) return found
    else if (line.startsWith('(fail) ')) found.push(`${file} ${line.slice(7)}`)
  }
  return found
}

/** Whether the shift works in a process: the library may be missing. */
function canShift(moment: Moment): boolean {
  const command = [process.execPath, '--print', 'Date.now()']
  const ran = Bun.spawnSync(command, { env: { ...process.env, ...shifted(moment) }, stderr: 'ignore' })
  return Math.abs(Number(ran.stdout.toString()) - moment.at) < 60 * SECOND
}

async function main(): Promise<number> {
  const options = { moment: { type: 'string', multiple: true } } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const known = momentsFrom(systemClock.now())
  const chosen = values.moment ?? known.map(({ name }) => name)
  const moments = known.filter(({ name }) => chosen.includes(name))
  if (moments.length < chosen.length) return failed(`--moment is one of ${known.map(({ name }) => name).join(', ')}`)
  if (!moments.every(canShift))
    return failed("Shifted clocks need faketime; install Debian's package: apt-get install faketime")
  const folder = mkdtempSync(join(tmpdir(), 'svc-clocks-'))
  const held: boolean[] = []
  for (const moment of moments) held.push(await holdsAt(moment, positionals.length > 0 ? positionals : SUITES, folder))
  return held.every(Boolean) ? 0 : 1
}

function failed(sentence: string): number {
  console.error(sentence)
  return 1
}

process.exit(await main())
