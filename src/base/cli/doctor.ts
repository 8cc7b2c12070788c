import type { Finding } from '../../core/finding/findings'
import type { Config } from '../config'
import type { Handle } from '../db/handle'
import type { Vault } from '../lib/crypto'

/** The subject of a check, its result, and one sentence: what was found and, unless all is well, what to do. */
export interface Check {
  name: string
  status: 'ok' | 'warn' | 'fail'
  message: string
  /** The same for the console; absent where only the command shows it. */
  finding?: Finding
}

export const ok = (name: string, message: string): Check => ({ name, status: 'ok', message })
export const warn = (name: string, message: string): Check => ({ name, status: 'warn', message })
export const warnOf = (name: string, finding: Finding): Check => ({ ...warn(name, finding.message), finding })
export const fail = (name: string, message: string): Check => ({ name, status: 'fail', message })

/** A migrated database that `svc doctor` examines. Nothing is written to it. */
export interface Examined {
  readonly handle: Handle
  readonly config: Config
  /** Null when the master key is off, does not exist yet or is damaged. */
  readonly vault: Vault | null
  readonly now: number
}

/** What a slice found about one project. */
export interface ProjectReport {
  /** What does not work. */
  faults?: readonly Finding[]
  /** Missing parts of the setup that an app needs. */
  gaps?: readonly Finding[]
  /** Stored objects that are broken: they match no subscriber, or give nothing, until they are corrected. */
  broken?: readonly BrokenObject[]
  /** What the project has: `{ products: 3 }`. Printed when nothing is wrong. */
  counts?: Readonly<Record<string, number>>
}

/** A fault in a stored object that something other than svc wrote. */
export interface BrokenObject {
  /** What the object is: `flag`. */
  kind: string
  id: string
  /** The name that people know; null when it cannot be read either. */
  name: string | null
  path: string
  message: string
}

/** The checks that a slice adds to `svc doctor`. */
export interface Examination {
  /** Name of the slice; it decides the order of the sentences. */
  name: string
  /** The checks that need no database. They create nothing: no folder and no key. */
  host?(config: Config): readonly Check[]
  database?(examined: Examined): Promise<readonly Check[]>
  project?(examined: Examined, project: { id: string; slug: string }): Promise<ProjectReport>
}

declare module '../state' {
  interface SliceHooks {
    doctor: Examination
  }
}
