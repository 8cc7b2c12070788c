import { Link } from 'wouter'
import { Card } from '../../../kit/card'
import type { Draft } from '../../../kit/draft'
import { Checkbox } from '../../../kit/field'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { useAccess } from '../use-catalogue'
import type { ProductState } from './model'

/** The access that the product gives while it is paid for. */
export function ProductGives({ draft: { value, set } }: { draft: Draft<ProductState> }) {
  const t = useText('catalogue')
  const { base } = useProject()
  const { items: access } = useAccess()
  const toggle = (id: string, isOn: boolean) =>
    set((state) => ({
      ...state,
      accessIds: isOn ? [...state.accessIds, id] : state.accessIds.filter((one) => one !== id),
    }))
  return (
    <Card title={t.givesAccess}>
      {access.length === 0 ? (
        <p className="text-sm text-ink-2">
          {t.noAccessYet}{' '}
          <Link href={`${base}/catalogue/access?do=new`} className="text-accent underline">
            {t.newAccess}
          </Link>
        </p>
      ) : (
        <div className="grid gap-1">
          {access.map(({ id, identifier, displayName }) => (
            <Checkbox
              key={id}
              checked={value.accessIds.includes(id)}
              onChange={(isOn) => toggle(id, isOn)}
              label={
                <>
                  {displayName} <span className="font-mono text-xs text-ink-2">{identifier}</span>
                </>
              }
            />
          ))}
        </div>
      )}
    </Card>
  )
}
