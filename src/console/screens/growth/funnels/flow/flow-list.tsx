import { cx } from '../../../../lib/class-names'
import { useText } from '../../../../text/catalogue'
import { conditionsInWords, pageName } from '../lines'
import { pageIn } from '../pages'
import { useFunnelWords } from '../use-words'
import type { FlowProps } from './graph'
import { countedWays } from './people'
import { usePageFigures } from './use-page-figures'

/** The same pages in their order, each with its rules in words. */
export function FlowList({ builder, chosen, onChoose, onOpen }: FlowProps) {
  const t = useText('funnels')
  const words = useFunnelWords()
  const { state } = builder
  const figures = usePageFigures(builder.funnel.id)
  const nameOf = (id: string) => {
    const page = pageIn(state, id)
    return page ? pageName(page, state, words) : id
  }
  return (
    <ol className="grid gap-1">
      {state.pages.map((page, index) => (
        <li
          key={page.id}
          className={cx('rounded-control border p-2', page.id === chosen ? 'border-accent' : 'border-line')}
        >
          <button
            type="button"
            data-page={page.id}
            aria-pressed={page.id === chosen}
            onClick={() => (page.id === chosen ? onOpen(page.id) : onChoose(page.id))}
            className="flex min-h-7 w-full items-baseline gap-2 text-left text-sm"
          >
            <span className="text-ink-2 tabular-nums">{index + 1}</span>
            <span className="min-w-0 flex-1 truncate font-medium">{nameOf(page.id)}</span>
            <span className="text-xs text-ink-2">{words.pageTypes[page.type]}</span>
          </button>
          <ul className="pl-5 text-xs text-ink-2">
            {countedWays(page, figures).map((way, at) => (
              <li key={at}>
                {way.rule
                  ? t.ifThen(conditionsInWords(way.rule.when, words), nameOf(way.to))
                  : t.elseTo(nameOf(way.to))}
                {way.people !== null && <> · {t.peopleCount(way.people)}</>}
              </li>
            ))}
            {page.next.default === null && <li>{words.theEnd}</li>}
          </ul>
        </li>
      ))}
    </ol>
  )
}
