import type { Schemas } from '../../../api/schemas'
import { Id } from '../../../kit/copy'
import { Dialog } from '../../../kit/dialog'
import { Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Because } from '../../../kit/mark'
import { Chip, State } from '../../../kit/state'
import { Time } from '../../../kit/values'
import { productName, useProducts } from '../../../parts/use-person'
import { useWords, wordOf } from '../../../parts/words'
import { useExplanation } from '../person/access'
import type { AsOf } from '../person/as-of'
import { ruleSentence, useReason } from '../person/reason'

type Explanation = Schemas['AccessExplanation']

/** Everything behind one access: which purchases count, by which rule, and each event that changed it. */
export function ChainSheet({ access, asOf, onClose }: { access: string; asOf: AsOf; onClose: () => void }) {
  const { t, time } = useWords()
  const { data, error, refetch } = useExplanation(access, asOf.asked)
  const reasonOf = useReason()
  return (
    <Dialog kind="sheet" title={t.chainTitle(access)} onClose={onClose}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={6} />}
      {data && (
        <>
          <p className="text-sm text-ink-2">
            {t.asOf} <span className="tabular-nums">{time(data.at)}</span>
          </p>
          <Because>{reasonOf(data).sentence}</Because>
          <Candidates explanation={data} />
          <Steps explanation={data} />
        </>
      )}
    </Dialog>
  )
}

function Candidates({ explanation }: { explanation: Explanation }) {
  const words = useWords()
  const { t } = words
  const products = useProducts()
  const { candidates, decidedBy } = explanation
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 className="text-sm font-semibold">{t.candidates}</h3>
      {candidates.length === 0 && <p className="text-sm text-ink-2">{t.noCandidates}</p>}
      <ul className="grid gap-2">
        {candidates.map(({ purchase, grants, rule }) => (
          <li
            key={purchase.id}
            className="grid grid-cols-[minmax(0,1fr)] gap-1.5 rounded-control border border-line p-3"
          >
            <p className="flex flex-wrap items-center gap-2">
              <span className="min-w-0 truncate font-medium">
                {purchase.productId === null && purchase.store === 'MANUAL'
                  ? words.store('MANUAL')
                  : productName(products, purchase)}
              </span>
              <State tone={grants ? 'good' : 'mute'}>{grants ? t.gives : t.givesNot}</State>
              {decidedBy?.purchaseId === purchase.id && <Chip tone="info">{t.decides}</Chip>}
            </p>
            <Because>{ruleSentence(rule, purchase, words, products)}</Because>
            <p className="flex flex-wrap items-center gap-x-3 pl-5 text-xs text-ink-2">
              <code className="font-mono">{rule}</code>
              <Id id={purchase.id} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Steps({ explanation: { chain } }: { explanation: Explanation }) {
  const { t } = useWords()
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 className="text-sm font-semibold">{t.steps}</h3>
      {chain.length === 0 && <p className="text-sm text-ink-2">{t.noSteps}</p>}
      <ol className="divide-y divide-line">
        {chain.toReversed().map(({ eventId, at, seq, type, cause, isActiveAfter }) => (
          <li key={eventId} className="grid grid-cols-[2.5rem_minmax(0,1fr)_auto] gap-x-3 py-2">
            <span className="font-mono text-xs text-ink-2">#{seq ?? '–'}</span>
            <span className="min-w-0">
              <span className="block font-medium">{wordOf(t.events, type)}</span>
              <span className="block text-xs text-ink-2">{wordOf(t.causes, cause.kind)}</span>
              {cause.ref !== null && <Id id={cause.ref} />}
            </span>
            <span className="grid justify-items-end text-xs text-ink-2">
              <Time at={at} absolute />
              <State tone={isActiveAfter ? 'good' : 'mute'}>{isActiveAfter ? t.nowOn : t.nowOff}</State>
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
