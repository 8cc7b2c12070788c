import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { monotonicMs } from '../../../src/base/lib/clock'

const PATIENCE_MS = 5000
const PAUSE_MS = 50

interface Process {
  pid: number
  /** Together with the id it names one process, because ids are used again. */
  startedAt: string
}

/**
 * Ends a process and everything that it has started, also what runs in a group of its own. What has not ended after 5 s is
 * killed. Where the system has no /proc, only the process itself is ended.
 */
export async function endTree(pid: number): Promise<void> {
  // A process that is stopped starts no other one while the tree is read.
  const tree = stopTree(pid)
  for (const { pid } of tree) signal(pid, 'SIGTERM')
  for (const { pid } of tree) signal(pid, 'SIGCONT')
  await endOf(tree)
  for (const one of tree.filter(isAlive)) signal(one.pid, 'SIGKILL')
  await endOf(tree)
}

async function endOf(tree: readonly Process[]): Promise<void> {
  const until = monotonicMs() + PATIENCE_MS
  while (tree.some(isAlive) && monotonicMs() < until) await Bun.sleep(PAUSE_MS)
}

function stopTree(pid: number): Process[] {
  signal(pid, 'SIGSTOP')
  const startedAt = read(pid)?.startedAt ?? ''
  return [{ pid, startedAt }, ...childrenOf(pid).flatMap(stopTree)]
}

const childrenOf = (parent: number): number[] =>
  (existsSync('/proc') ? readdirSync('/proc') : [])
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => read(pid)?.parent === parent)

/** What the system says of a process; null when it has ended. */
function read(pid: number): { state: string; parent: number; startedAt: string } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program is in brackets, and may have any characters.
    const [state = '', parent = '', ...more] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { state, parent: Number(parent), startedAt: more[17] ?? '' }
  } catch {
    return null
  }
}

function isAlive({ pid, startedAt }: Process): boolean {
  const now = read(pid)
  return now !== null && now.state !== 'Z' && now.startedAt === startedAt
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended.
  }
}
