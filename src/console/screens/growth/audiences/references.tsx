import { Link } from 'wouter'
import type { Schemas } from '../../../api/schemas'
import { Card } from '../../../kit/card'
import { Chip } from '../../../kit/state'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import type { AudienceView } from './use-audience-edit'

type Reference = Schemas['AudienceReference']

/** What names the audience, and so keeps it from being deleted. */
export function References({ audience }: { audience: AudienceView }) {
  const t = useText('growth')
  const { base } = useProject()
  return (
    <Card title={t.usedBy}>
      {audience.references.length === 0 ? (
        <p className="text-sm text-ink-2">{t.usedByNothing}</p>
      ) : (
        <ul className="grid gap-1.5 text-sm">
          {audience.references.map((reference) => (
            <li key={`${reference.type}${reference.id}`} className="flex min-w-0 items-center gap-2">
              <Chip>{t.kinds[kindOf(reference)]}</Chip>
              <Link href={`${base}/growth/${pathOf(reference)}`} className="truncate text-accent hover:underline">
                {reference.name}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const kindOf = ({ type }: Reference): 'flag' | 'experiment' | 'placement' =>
  type === 'flag' || type === 'experiment' ? type : 'placement'

/** A flag is called `new_checkout (PROD)`, and its screen is found by the key. */
function pathOf(reference: Reference): string {
  const { id, name } = reference
  const kind = kindOf(reference)
  return kind === 'flag' ? `flags/${encodeURIComponent(name.replace(/ \([A-Z]+\)$/, ''))}` : `${kind}s/${id}`
}
