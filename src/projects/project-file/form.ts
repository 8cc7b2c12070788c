import { canonicalJson } from '../../base/lib/hash'
import type { Content } from '../../core/project-file/content'
import { checkIdentifier, identifier } from './fields'
import type { Wanted } from './model'
import { entries, type Members, object, type Read, type Spot, type Written } from './reader'

/** A member of an object in the file: its value, its name there, and the value that the file leaves out. */
export interface Member<Value> {
  value: Written<Value>
  /** Its name in the file, if the object calls it differently. */
  as: string | undefined
  /** REQUIRED: also in a file that a person writes. WRITTEN: only in one that svc writes. */
  isIn: 'REQUIRED' | 'WRITTEN' | 'UNLESS_FALLBACK' | 'NEVER'
  /** The value of an absent member, and of one that could not be read. */
  fallback: Value
}

/** A member that the file must have. `standIn` takes the place of one that could not be read, and is never saved. */
export const must = <Value>(value: Written<Value>, standIn: NoInfer<Value>, as?: string): Member<Value> => ({
  ...{ value, as, isIn: 'REQUIRED', fallback: standIn },
})

/** A member that the file leaves out when it has this value. */
export const may = <Value>(value: Written<Value>, fallback: NoInfer<Value>, as?: string): Member<Value> => ({
  ...{ value, as, isIn: 'UNLESS_FALLBACK', fallback },
})

/** A member that the file leaves out when there is no value. */
export const orNone = <Value>(value: Written<Value>, as?: string): Member<Value | null> => ({
  ...{ value: value as Written<Value | null>, as, isIn: 'UNLESS_FALLBACK', fallback: null }, // It never writes null.
})

/** A member that may be absent, and that svc always writes. */
export const always = <Value>(member: Member<Value>): Member<Value> => ({ ...member, isIn: 'WRITTEN' })

/** A member that the file never has. */
export const never = <Value>(fallback: Value): Member<Value> => ({
  ...{ value: () => undefined, as: undefined, isIn: 'NEVER', fallback },
})

type MembersOf<State> = { readonly [Name in keyof State]: Member<State[Name]> }

/** How an object of the file is read and written. Its members are written in their order here. */
export interface Form<State> extends Read<State> {
  /** The object from its members, for readers that read further members besides them. */
  from(members: Members, spot: Spot): State
  write(state: State): Content
  /** The members of the object, without whatever else a row has. */
  pick<Row extends Record<keyof State, unknown>>(row: Row): Pick<Row, keyof State>
}

/** The type of what a form reads. */
export type Formed<OfForm> = OfForm extends Form<infer State> ? State : never

/** `finish` records problems that several members have together, and gives the object its last form. */
export function form<State extends object>(
  members: MembersOf<State>,
  finish: (state: State, spot: Spot) => State = (state) => state,
): Form<State> {
  const named = Object.entries(members) as [keyof State & string, Member<unknown>][]
  const from = (found: Members, spot: Spot) =>
    finish(Object.fromEntries(named.map(([name, member]) => [name, take(found, name, member)])) as State, spot)
  const write = (state: State) =>
    Object.fromEntries(named.flatMap(([name, member]) => written(name, member, state[name])))
  const pick = <Row extends Record<keyof State, unknown>>(row: Row) =>
    Object.fromEntries(named.map(([name]) => [name, row[name]])) as Pick<Row, keyof State>
  return Object.assign(object(from), { from, write, pick })
}

function take(members: Members, name: string, { value, as = name, isIn, fallback }: Member<unknown>): unknown {
  if (isIn === 'NEVER') return fallback
  return isIn === 'REQUIRED' ? members.required(as, value, fallback) : members.optional(as, value, fallback)
}

function written(
  name: string,
  { value, as = name, isIn, fallback }: Member<unknown>,
  state: unknown,
): [string, unknown][] {
  const isLeftOut = isIn === 'NEVER' || (isIn === 'UNLESS_FALLBACK' && canonicalJson(state) === canonicalJson(fallback))
  return isLeftOut ? [] : [[as, value.write ? value.write(state) : state]]
}

/** How the names of objects in a section are checked and read. */
export interface Naming {
  check(name: string): string | null
  read: Read<string>
}

const BY_IDENTIFIER: Naming = { check: checkIdentifier, read: identifier }

/** Reads objects under their names. Each of them may give its former name in `was`. */
export const objects =
  <Entry>(read: (members: Members, spot: Spot) => Entry, naming: Naming = BY_IDENTIFIER): Read<Wanted<Entry>[]> =>
  (spot) => {
    const found = entries((name, at) => namedObject(name, at, read, naming))(spot)
    const claimed = new Set<string>()
    for (const { was, name } of found ?? []) {
      if (was !== null && claimed.has(was)) spot.at(name, spot.node).fail(`Two objects say that they were ${was}`)
      if (was !== null) claimed.add(was)
    }
    return found
  }

function namedObject<Entry>(
  name: string,
  spot: Spot,
  read: (members: Members, spot: Spot) => Entry,
  naming: Naming,
): Wanted<Entry> | undefined {
  const complaint = naming.check(name)
  if (complaint !== null) return spot.fail(complaint)
  return object((members): Wanted<Entry> => {
    const was = members.optional<string | null>('was', naming.read, null)
    return { name, was: was === name ? null : was, path: spot.path, state: read(members, spot) }
  })(spot)
}
