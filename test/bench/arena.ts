import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { type Child, startServer, startYardstick } from './children'
import { seed } from './seed'
import { settleFiguresIn } from './settled-figures'
import type { Template } from './template'
import { Committer } from './yardsticks'

/** The system under test over a database with a number of subscribers. */
export interface Deployment {
  subscribers: number
  server: Child
}

/** Everything that a benchmark needs. The large deployment exists when growth is measured. */
export interface Arena {
  folder: string
  template: Template
  /** Empty Elysia route. */
  yardstick: Child
  committer: Committer
  small: Deployment
  large: Deployment | null
  /** Number of counted rounds for each contender, and how long each should take. */
  rounds: number
  seconds: number
  say: (line: string) => void
}

export const SMALL = 10_000

/** The data folder for a number of subscribers. */
export const folderOf = (folder: string, subscribers: number): string => join(folder, String(subscribers))

/** Fills one database and reports how long it took. */
export function seedOne(folder: string, template: Template, subscribers: number, say: (line: string) => void): void {
  const startedAt = performance.now()
  seed(template, folderOf(folder, subscribers), subscribers, say)
  say(`${subscribers.toLocaleString('en')} subscribers in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

interface Plan {
  folder: string
  template: Template
  command: readonly string[]
  largeSize: number | null
  rounds: number
  seconds: number
  say: (line: string) => void
}

const PIECE = Buffer.alloc(8 * 1024 * 1024)

/**
 * Reads the databases once, so that the system keeps them in memory: growth must show the cost of a request, not of a
 * disk that has not been read yet. Called before each load, because some machines drop such pages within a minute.
 */
export function warm({ folder, small, large }: Arena): void {
  for (const { subscribers } of large ? [small, large] : [small]) {
    const file = openSync(join(folderOf(folder, subscribers), 'svc.db'), 'r')
    while (readSync(file, PIECE, 0, PIECE.length, null) > 0);
    closeSync(file)
  }
}

/** Starts all servers at once. Idle servers cost nothing, and the loads can alternate between them. */
export async function openArena({ command, largeSize, ...parts }: Plan): Promise<Arena> {
  const deploy = async (subscribers: number): Promise<Deployment> => {
    const folder = folderOf(parts.folder, subscribers)
    await settleFiguresIn(folder)
    return { subscribers, server: await startServer(command, folder) }
  }
  return {
    ...parts,
    committer: new Committer(parts.folder),
    yardstick: await startYardstick('elysia'),
    small: await deploy(SMALL),
    large: largeSize === null ? null : await deploy(largeSize),
  }
}

export async function closeArena({ yardstick, committer, small, large }: Arena): Promise<void> {
  committer.close()
  await Promise.all([yardstick, small.server, ...(large ? [large.server] : [])].map((child) => child.stop()))
}

/** `10,000 to 1,000,000`. */
export const sizesOf = ({ small, large }: Arena): string =>
  `${small.subscribers.toLocaleString('en')} to ${large?.subscribers.toLocaleString('en')}`

/** Numbers of `count` subscribers spread over the whole deployment; the same count for every size. */
export const spread = ({ subscribers }: Deployment, count: number): number[] =>
  Array.from({ length: count }, (_, index) => (index + 1) * Math.floor(subscribers / count))
