import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 4 * 1024 ** 3

/**
 * The folder for temporary files of tests: in memory where there is enough of it, because every commit of a test waits
 * until it is on the disk. Tests also start programs that they have put there.
 */
export function memoryFolder(): string {
  if (!existsSync(MEMORY) || isWithoutPrograms()) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= ENOUGH_BYTES ? MEMORY : tmpdir()
}

const isWithoutPrograms = (): boolean =>
  readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .some((line) => line.includes(` ${MEMORY} `) && line.includes('noexec'))
