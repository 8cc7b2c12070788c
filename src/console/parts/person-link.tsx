import { Link } from 'wouter'
import { Identicon } from './identicon'
import { useHref } from './use-href'

/** A person by id, as a link to their screen. */
export function PersonLink({ id, name, query }: { id: string; name?: string; query?: Record<string, string> }) {
  const href = useHref()
  return (
    <Link
      href={href(`/subscribers/${id}`, query)}
      title={name ?? id}
      className="inline-flex min-w-0 max-w-full items-center align-middle gap-2 text-accent hover:underline"
    >
      <Identicon id={id} size={18} />
      <span className={name === undefined ? 'truncate font-mono text-xs' : 'truncate'}>{name ?? shortId(id)}</span>
    </Link>
  )
}

const shortId = (id: string): string => (id.length > 18 ? `${id.slice(0, 12)}…${id.slice(-4)}` : id)
