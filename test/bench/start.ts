import { statSync } from 'node:fs'
import { MINUTE } from '../../src/base/lib/clock'
import { type Arena, folderOf, SMALL } from './arena'
import {
  type Child,
  EXECUTABLE,
  isExecutableFresh,
  readMemory,
  startServer,
  startYardstick,
  untilQuiet,
} from './children'
import { median } from './measure'
import type { Aim, Row } from './report'

const STARTS = 10
export const IDLE_MS = 5000

const ANSWERS_WITHIN: Aim = { of: 'result', is: 'at most', value: 80 }
const IDLE_WITHIN: Aim = { of: 'result', is: 'at most', value: 90 }
const MINUTE_LATER_WITHIN: Aim = { of: 'result', is: 'at most', value: 130 }
const SIZE_WITHIN: Aim = { of: 'result', is: 'at most', value: 150 }

/** Time to the first answer with a migrated database, memory of a process that has done no work yet, and size. */
export async function benchStart(command: readonly string[], folder: string): Promise<Row[]> {
  const own = () => startServer(command, folderOf(folder, SMALL))
  await beenServed(own)
  const [ownMs, emptyMs]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < STARTS; turn++) {
    emptyMs.push(await startOnce(() => startYardstick('elysia')))
    ownMs.push(await startOnce(own))
  }
  const children = [await own(), await startYardstick('elysia')] as const
  await Bun.sleep(IDLE_MS)
  const memory = memoryRows('idle after the start', ...children)
  await Promise.all(children.map((child) => child.stop()))
  const start: Row = {
    what: 'start to the first answer, migrated',
    result: { value: median(ownMs), unit: 'ms' },
    yardstick: { value: median(emptyMs), unit: 'ms' },
    aim: ANSWERS_WITHIN,
    rounds: ownMs,
  }
  return [start, ...memory, ...sizeRow()]
}

/** A deployment that is started again has counted its rows before. */
export async function beenServed(start: () => Promise<Child>): Promise<void> {
  for (let turn = 0; turn < 2; turn++) {
    const child = await start()
    await untilQuiet(child)
    await child.stop()
  }
}

/** Memory of the servers after the load, once they are idle, and a minute later. */
export async function memoryAfterLoad({ small, large, yardstick }: Arena): Promise<Row[]> {
  await Bun.sleep(IDLE_MS)
  const ofLarge = large ? memoryRows('after the load, large database', large.server, yardstick) : []
  const rows = [...memoryRows('after the load', small.server, yardstick), ...ofLarge]
  await Bun.sleep(MINUTE)
  return [...rows, ...memoryRows('one minute after the load', small.server, yardstick, MINUTE_LATER_WITHIN)]
}

async function startOnce(begin: () => Promise<Child>): Promise<number> {
  const child = await begin()
  await child.stop()
  return child.startMs
}

/** Resident and anonymous memory of a server beside that of an empty one. */
export function memoryRows(when: string, server: Child, yardstick: Child, within = IDLE_WITHIN): Row[] {
  const [own, empty] = [readMemory(server.pid), readMemory(yardstick.pid)]
  if (!own || !empty) return []
  const row = (kind: 'rss' | 'anon', aim: Aim | null): Row => ({
    what: `memory ${when}, ${kind === 'rss' ? 'resident' : 'of it anonymous'}`,
    result: { value: own[kind], unit: 'MB' },
    yardstick: { value: empty[kind], unit: 'MB' },
    aim,
  })
  return [row('rss', within), row('anon', null)]
}

export function sizeRow(): Row[] {
  if (!isExecutableFresh()) return []
  const result = { value: statSync(EXECUTABLE).size / 1e6, unit: 'MB' as const }
  return [{ what: 'size of the executable', result, yardstick: null, aim: SIZE_WITHIN }]
}
