import { afterAll, afterEach, beforeEach } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const ROOT = join(import.meta.dir, '../..')
const MICROS_PER_SECOND = 1e6

/**
 * Writes how many seconds of processor time each test file took in this process, the costliest first. Loading a file and
 * its hooks count as the file's.
 */
export function recordCost(path: string): void {
  const seconds = new Map<string, number>()
  let last = process.cpuUsage()
  const note = () => {
    const { user, system } = process.cpuUsage(last)
    const file = relative(ROOT, Bun.main)
    seconds.set(file, (seconds.get(file) ?? 0) + (user + system) / MICROS_PER_SECOND)
    last = process.cpuUsage()
  }
  beforeEach(note)
  afterEach(note)
  afterAll(() => {
    note()
    const lines = [...seconds].sort(([, a], [, b]) => b - a).map(([file, cpu]) => `${cpu.toFixed(2)}\t${file}`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${lines.join('\n')}\n`)
  })
}
