import { Card } from '../../../kit/card'
import { Code } from '../../../kit/copy'
import { Segmented } from '../../../kit/tabs'
import { cx } from '../../../lib/class-names'
import { useParam } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { useProducts } from '../use-catalogue'
import { type OfferingState, presented } from './model'

/** What a device gets of the draft: the packages that can be sold, in order. */
export function DevicePreview({ state }: { state: OfferingState }) {
  const t = useText('catalogue')
  const { items: products } = useProducts()
  const [view, setView] = useParam('preview', 'screen')
  const offering = presented(state, products)
  const left = state.packages.length - offering.packages.length
  return (
    <Card
      title={t.onDevice}
      aside={
        <Segmented
          label={t.onDevice}
          value={view === 'json' ? 'json' : 'screen'}
          onChange={setView}
          options={[
            ['screen', t.asScreen],
            ['json', 'JSON'],
          ]}
        />
      }
      footer={t.pricesFromStore}
    >
      {view === 'json' ? (
        <Code text={JSON.stringify(offering, null, 2)} />
      ) : (
        <div className="grid gap-2 rounded-dialog border border-line-2 bg-sunken p-3" data-device>
          <Headline metadata={offering.metadata} />
          {offering.packages.map((one) => (
            <div
              key={one.packageIdentifier}
              data-package={one.packageIdentifier}
              className={cx(
                'rounded-control border bg-surface px-3 py-2 text-sm',
                one.isPromoted ? 'border-accent ring-1 ring-accent' : 'border-line',
              )}
            >
              <p className="truncate font-medium">{one.displayName}</p>
              <p className="flex justify-between gap-2 text-xs text-ink-2">
                <span className="truncate font-mono">{one.packageIdentifier}</span>
                {one.isPromoted && <span className="text-accent">{t.promoted}</span>}
              </p>
            </div>
          ))}
          {offering.packages.length === 0 && <p className="py-6 text-center text-sm text-ink-2">{t.nothingForSale}</p>}
        </div>
      )}
      {left > 0 && <p className="pt-2 text-xs text-warn">{t.leftOut(left)}</p>}
    </Card>
  )
}

/** A member of the metadata that many apps use. */
function Headline({ metadata }: { metadata: Record<string, unknown> }) {
  const { headline } = metadata
  return typeof headline === 'string' ? <p className="px-1 text-md font-semibold break-words">{headline}</p> : null
}
