import { Link } from 'wouter'
import type { Schemas } from '../api/schemas'
import { cx } from '../lib/class-names'
import { useText } from '../text/catalogue'
import { Identicon } from './identicon'
import { useHref } from './use-href'

interface PersonLinkProps {
  id: string
  /** Who it is; without it only the id is known. */
  person?: Schemas['PersonRef'] | null | undefined
  name?: string
  query?: Record<string, string>
  isPlain?: boolean
}

/** A person as a link to their screen: by their own id, address or name, else by the end of their device key. */
export function PersonLink({ id, person, name: given, query, isPlain = false }: PersonLinkProps) {
  const href = useHref()
  const t = useText('common')
  const name = given ?? (person ? nameIn(person, t.deviceOf) : undefined)
  return (
    <Link
      href={href(`/subscribers/${id}`, query)}
      title={name === undefined ? id : `${name} · ${id}`}
      className={cx(
        'inline-flex min-w-0 max-w-full items-center align-middle gap-2 hover:underline',
        isPlain ? 'hover:text-accent' : 'text-accent',
      )}
    >
      <Identicon id={id} size={18} />
      <bdi className={name === undefined ? 'truncate font-mono text-xs' : 'truncate'}>{name ?? shortId(id)}</bdi>
      {person?.country && <span className="shrink-0 text-xs text-ink-2">{person.country}</span>}
    </Link>
  )
}

/** A longer device key is known by its end. */
const LONGEST_KEY = 16

function nameIn(person: Schemas['PersonRef'], deviceOf: (end: string) => string): string {
  const { appUserId, email, displayName, subscriberId } = person
  const key = person.deviceKey ?? subscriberId
  return appUserId ?? email ?? displayName ?? (key.length > LONGEST_KEY ? deviceOf(key.slice(-4)) : key)
}

/** The name of a person in a row, for places that are not links. */
export function usePersonName(): (person: Schemas['PersonRef']) => string {
  const t = useText('common')
  return (person) => nameIn(person, t.deviceOf)
}

interface Keys {
  id: string
  appUserId: string | null
  deviceKey?: string | null
}

/** The same for a person of whom only the keys are known. */
export function useNameByKeys(): (keys: Keys) => string {
  const t = useText('common')
  return ({ id, appUserId, deviceKey = null }) =>
    nameIn({ subscriberId: id, appUserId, deviceKey, email: null, displayName: null, country: null }, t.deviceOf)
}

/** A person in a row that is a link itself. */
export function PersonName({ person }: { person: Schemas['PersonRef'] }) {
  const name = usePersonName()(person)
  return (
    <>
      <bdi>{name}</bdi>
      {person.country && <span className="pl-2 text-xs font-normal text-ink-2">{person.country}</span>}
    </>
  )
}

const shortId = (id: string): string => (id.length > 18 ? `${id.slice(0, 12)}…${id.slice(-4)}` : id)
