import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { systemClock } from '../../src/base/lib/clock'
import { runCommandLine } from '../../src/cli/main'
import { typesOf } from '../../src/console-types'
import { PROGRAM } from '../../src/program'

/** The description of the dashboard's API, as the command prints it. */
async function describeApi(): Promise<string> {
  const told: string[] = []
  await runCommandLine(['openapi', '--dashboard'], {
    out: (line) => void told.push(line),
    err: () => {},
    isTerminal: false,
    env: {},
    confirm: async () => false,
    progress: () => {},
    clock: systemClock,
    program: PROGRAM,
    stopped: new Promise(() => {}),
  })
  return told.join('\n')
}

/** The first line in which two texts differ, because a whole comparison of them would be thousands of lines. */
function differenceOf(held: string, made: string): string | null {
  if (held === made) return null
  const [own, other] = [held.split('\n'), made.split('\n')]
  const at = own.findIndex((line, index) => line !== other[index])
  return `schema.d.ts:${at + 1} has "${own[at]}" and the API has "${other[at]}". Write it again: bun run types`
}

test('the types of the console are those of the API', async () => {
  const held = readFileSync('src/console/api/schema.d.ts', 'utf8')
  expect(differenceOf(held, await typesOf(await describeApi()))).toBeNull()
}, 600_000)

test('a difference is told by its first line', () => {
  expect(differenceOf('a\nb', 'a\nb')).toBeNull()
  expect(differenceOf('a\nb', 'a\nc')).toContain('schema.d.ts:2 has "b" and the API has "c"')
})
