import type { Config } from '../config'
import type { Handle } from '../db/handle'
import type { Vault } from '../lib/crypto'

/** What was looked at, how it is, and one sentence: what was found and, unless all is well, what to do. */
export interface Check {
  name: string
  status: 'ok' | 'warn' | 'fail'
  message: string
}

export const ok = (name: string, message: string): Check => ({ name, status: 'ok', message })
export const warn = (name: string, message: string): Check => ({ name, status: 'warn', message })
export const fail = (name: string, message: string): Check => ({ name, status: 'fail', message })

/** A migrated database that is looked at. Nothing is written to it. */
export interface Examined {
  readonly handle: Handle
  readonly config: Config
  /** Null when the master key is off, not made yet or damaged. */
  readonly vault: Vault | null
  readonly now: number
}

/** What a slice found about one project. */
export interface ProjectReport {
  /** What does not work, in a sentence each. */
  faults?: readonly string[]
  /** What an app will miss, in a sentence each. */
  gaps?: readonly string[]
  /** Stored objects that are broken and fail closed. */
  broken?: readonly BrokenObject[]
  /** What the project has: `{ products: 3 }`. Printed when nothing is wrong. */
  counts?: Readonly<Record<string, number>>
}

/** A fault in a stored object that something other than svc wrote. */
export interface BrokenObject {
  /** What the object is: `flag`. */
  kind: string
  id: string
  /** What people call it; null when that cannot be read either. */
  name: string | null
  path: string
  message: string
}

/** What `svc doctor` asks a slice. */
export interface Examination {
  /** Names the slice in the order of the sentences. */
  name: string
  /** What can be told without the database. Makes nothing: no folder, no key. */
  host?(config: Config): readonly Check[]
  database?(examined: Examined): Promise<readonly Check[]>
  project?(examined: Examined, project: { id: string; slug: string }): Promise<ProjectReport>
}

declare module '../state' {
  interface SliceHooks {
    doctor: Examination
  }
}
