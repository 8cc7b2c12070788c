import type { Answer } from './cast'
import { arrive, type Person } from './crew'
import { PUBLIC_URL, type StoresStage } from './three-stores'
import { Visitor } from './visitor'

/** What the cases share. It is empty until the stage is there. */
export interface World {
  s: StoresStage
  owner: Person
  /** A platform administrator. */
  root: Person
  /** What earlier calls have left, by name. */
  kept: Map<string, string>
}

/** One call that changes something, and what its row must say. */
export interface AuditedCall {
  action: string
  path: string
  body?: unknown
  /** Who calls; the owner when absent. */
  by?: Person
  /** The id of the target; not compared when absent. */
  target?: string
}

export interface AuditedCase {
  /** The route as in the table of routes. */
  route: string
  prepare: () => AuditedCall | Promise<AuditedCall>
  /** Keeps something of the answer's data for the calls that follow. */
  after?: (data: Answer['body']) => void
}

/** A browser at the public address, whose cookies have the prefix of such an address. */
export const publicBrowser = (s: StoresStage): Visitor => new Visitor(s, undefined, PUBLIC_URL)

/** A person with an account and a session. */
export async function come({ s }: World, name: string, isAdmin = false): Promise<Person> {
  const { browser, ...person } = await arrive(s, name, { isAdmin })
  const visitor = publicBrowser(s)
  visitor.cookies.set('__Host-svc_session', [...browser.cookies.values()][0] ?? '')
  return { ...person, browser: visitor }
}

/** What an earlier call has kept under a name. */
export const kept = (w: World, name: string): string => w.kept.get(name) ?? `nothing-kept-as-${name}`

export const keeps =
  (w: World, name: string, read: (data: Answer['body']) => string = ({ id }) => id): Required<AuditedCase>['after'] =>
  (data) =>
    void w.kept.set(name, read(data))

export const own = ({ s }: World, path: string): string => `/dashboard/projects/${s.project.id}${path}`
