import { Plus } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { PageType } from '../../../../../core/funnel/model'
import { PAGE_TYPES } from '../../../../../core/funnel/model'
import { Card, Columns } from '../../../../kit/card'
import { Confirm } from '../../../../kit/dialog'
import { Menu } from '../../../../kit/menu'
import { useIsPhone } from '../../../../kit/phone'
import { Segmented } from '../../../../kit/tabs'
import { useParams } from '../../../../lib/url-state'
import { useText } from '../../../../text/catalogue'
import { pageName } from '../lines'
import { addPage, movePage, pageIn, pagesLeadingTo, removePage } from '../pages'
import type { Builder } from '../use-funnel-edit'
import { useFunnelWords } from '../use-words'
import { ChosenPage } from './chosen-page'
import { FlowList } from './flow-list'
import { Graph } from './graph'
import { cardBeside, nextAlong } from './next-along'

/** The pages and the ways between them, as a graph or as a list. */
export function FlowView({ builder }: { builder: Builder }) {
  const t = useText('funnels')
  const isPhone = useIsPhone()
  const [params, setParams] = useParams()
  const [removing, setRemoving] = useState<string | null>(null)
  const place = useRef<HTMLDivElement>(null)
  const { state, change, reason } = builder
  const chosen = pageIn(state, params.get('at') ?? '') ?? state.pages[0] ?? null
  const isList = (params.get('as') ?? (isPhone ? 'list' : 'graph')) === 'list'
  const focusOn = (id: string | null) =>
    requestAnimationFrame(() =>
      id === null ? undefined : place.current?.querySelector<HTMLElement>(`[data-page="${CSS.escape(id)}"]`)?.focus(),
    )
  const choose = (id: string) => setParams({ at: id })
  const open = (id: string) => setParams({ page: id, at: null, tab: null }, { push: true })
  const add = (type: PageType) => {
    const made = addPage(state, type, chosen?.id ?? null)
    change(() => made.state)
    choose(made.id)
    focusOn(made.id)
  }
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const id = (event.target as HTMLElement).dataset.page
    if (id === undefined || event.ctrlKey || event.metaKey) return
    const step = STEPS[event.key]
    if (event.altKey && step !== undefined) {
      if (reason === null) change((before) => movePage(before, id, step))
      focusOn(id)
    } else if (step !== undefined) {
      const next = isSideways(event.key)
        ? nextAlong(state.pages, id, event.key)
        : cardBeside(event.currentTarget, event.target as HTMLElement, event.key === 'ArrowDown')
      if (next !== null) choose(next)
      focusOn(next)
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && reason === null) setRemoving(id)
    else if (event.key === 'n' && reason === null) add('question')
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <Columns
      main={
        <Card
          title={t.tabs.flow}
          aside={
            <>
              {reason === null && <AddPage onAdd={add} />}
              <Segmented
                label={t.flowAs}
                value={isList ? 'list' : 'graph'}
                onChange={(as) => setParams({ as })}
                options={[
                  ['graph', t.asGraph],
                  ['list', t.asAList],
                ]}
              />
            </>
          }
        >
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the buttons inside */}
          <div ref={place} onKeyDown={onKey}>
            {isList ? (
              <FlowList builder={builder} chosen={chosen?.id ?? null} onChoose={choose} onOpen={open} />
            ) : (
              <Graph builder={builder} chosen={chosen?.id ?? null} onChoose={choose} onOpen={open} />
            )}
          </div>
        </Card>
      }
      side={
        <>
          {chosen && <ChosenPage builder={builder} page={chosen} onOpen={open} onRemove={setRemoving} />}
          <Card title={t.keys}>
            <p className="text-sm text-ink-2">{t.flowKeys}</p>
          </Card>
          {removing !== null && <RemovePage builder={builder} id={removing} onClose={() => setRemoving(null)} />}
        </>
      }
    />
  )
}

const isSideways = (key: string): boolean => key === 'ArrowRight' || key === 'ArrowLeft'

const STEPS: Record<string, number | undefined> = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }

function AddPage({ onAdd }: { onAdd: (type: PageType) => void }) {
  const t = useText('funnels')
  const words = useFunnelWords()
  return (
    <Menu
      className="inline-flex h-7.5 items-center gap-1.5 rounded-control border border-line-2 bg-surface px-3 text-sm font-medium text-ink hover:bg-hover max-md:h-9"
      label={
        <>
          <Plus aria-hidden size={14} /> {t.addPage}
        </>
      }
      items={PAGE_TYPES.map((type) => ({ label: words.pageTypes[type], onSelect: () => onAdd(type) }))}
    />
  )
}

/** Names what leads to the page before it is removed. */
function RemovePage({ builder, id, onClose }: { builder: Builder; id: string; onClose: () => void }) {
  const t = useText('funnels')
  const words = useFunnelWords()
  const { state } = builder
  const page = pageIn(state, id)
  if (!page) return null
  const leading = pagesLeadingTo(state, id)
  const target = page.next.default === null ? null : pageIn(state, page.next.default)
  return (
    <Confirm
      title={t.removePage(pageName(page, state, words))}
      action={t.remove}
      busy={false}
      onClose={onClose}
      onConfirm={() => {
        builder.change((before) => removePage(before, id))
        onClose()
      }}
    >
      <p>
        {leading.length === 0
          ? t.nothingLeads
          : t.leadHere(leading.map((one) => pageName(one, state, words)).join(', '))}
      </p>
      {leading.length > 0 && <p>{target ? t.willLeadTo(pageName(target, state, words)) : t.willEnd}</p>}
      <p>{t.canBeUndone}</p>
    </Confirm>
  )
}
