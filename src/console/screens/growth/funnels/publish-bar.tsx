import { CircleX, Redo2, TriangleAlert, Undo2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button, IconButton } from '../../../kit/button'
import { SaveBar } from '../../../kit/save-bar'
import { cx } from '../../../lib/class-names'
import { commandKeys } from '../../../lib/keys'
import { useParams } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { faultInWords } from './fault-sentences'
import { pageName } from './lines'
import { pageIn } from './pages'
import type { Lack, Problem } from './problems'
import type { Builder } from './use-funnel-edit'
import { useFunnelWords, useLanguageName } from './use-words'

/** Changes, steps, faults and warnings, saving and publishing, at the lower edge of every view of the builder. */
export function PublishBar({ builder, onPublish }: { builder: Builder; onPublish: () => void }) {
  const t = useText('funnels')
  const [params, setParams] = useParams()
  const { edit, reason, problems, funnel } = builder
  const isOpen = params.get('problems') !== null
  const publish = () => (problems.faults.length > 0 ? setParams({ problems: 'open' }) : onPublish())
  usePublishKey(publish, reason === null)
  const isCurrent = !edit.draft.isChanged && funnel.status === 'ARCHIVED'
  if (isCurrent) return null
  return (
    <>
      {isOpen && <ProblemList builder={builder} onClose={() => setParams({ problems: null })} />}
      <SaveBar
        edit={edit}
        label={t.saveDraft}
        reason={reason}
        notes={
          <>
            <Steps builder={builder} />
            <Found builder={builder} isOpen={isOpen} onOpen={() => setParams({ problems: isOpen ? null : 'open' })} />
          </>
        }
        next={
          <Button variant="primary" reason={reason} onClick={publish}>
            {t.review}
            <kbd className="rounded-chip border border-current px-1 font-sans text-2xs max-md:hidden">
              {commandKeys('⏎')}
            </kbd>
          </Button>
        }
      />
    </>
  )
}

function Steps({ builder: { steps, reason } }: { builder: Builder }) {
  const t = useText('funnels')
  if (reason !== null) return null
  return (
    <div className="flex">
      <IconButton label={`${t.undo} (${commandKeys('Z')})`} disabled={!steps.canUndo} onClick={steps.undo}>
        <Undo2 aria-hidden size={15} className={cx(!steps.canUndo && 'text-line-2')} />
      </IconButton>
      <IconButton label={`${t.redo} (${commandKeys('⇧Z')})`} disabled={!steps.canRedo} onClick={steps.redo}>
        <Redo2 aria-hidden size={15} className={cx(!steps.canRedo && 'text-line-2')} />
      </IconButton>
    </div>
  )
}

interface FoundProps {
  builder: Builder
  isOpen: boolean
  onOpen: () => void
}

function Found({ builder: { problems }, isOpen, onOpen }: FoundProps) {
  const t = useText('funnels')
  const { faults, warnings, lacks } = problems
  const warned = warnings.length + lacks.length
  if (faults.length + warned === 0) return <span className="text-sm text-ink-2">{t.noProblems}</span>
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onOpen}
      className="flex min-h-7 items-center gap-3 rounded-inner px-1 text-sm hover:bg-hover"
    >
      {faults.length > 0 && (
        <span className="inline-flex items-center gap-1.5 text-bad">
          <CircleX aria-hidden size={14} /> {t.faultCount(faults.length)}
        </span>
      )}
      {warned > 0 && (
        <span className="inline-flex items-center gap-1.5 text-warn">
          <TriangleAlert aria-hidden size={14} /> {t.warningCount(warned)}
        </span>
      )}
    </button>
  )
}

/** Every fault and warning, each with the way to it. The first has the focus. */
function ProblemList({ builder, onClose }: { builder: Builder; onClose: () => void }) {
  const t = useText('funnels')
  const list = useRef<HTMLElement>(null)
  const { faults, warnings, lacks } = builder.problems
  const count = faults.length + warnings.length + lacks.length
  useEffect(() => list.current?.querySelector<HTMLElement>('button')?.focus(), [])
  useEffect(() => {
    if (count === 0) onClose()
  }, [count, onClose])
  return (
    <section
      ref={list}
      aria-label={t.problems}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
      className="sticky bottom-20 z-20 mx-auto grid max-h-72 w-full max-w-220 gap-2 overflow-y-auto rounded-card border border-line-2 bg-raised p-3 shadow-float"
    >
      {faults.map((problem, index) => (
        <Row key={`f${index}`} builder={builder} problem={problem} isFault />
      ))}
      {warnings.map((problem, index) => (
        <Row key={`w${index}`} builder={builder} problem={problem} />
      ))}
      {lacks.map((lack) => (
        <LackRow key={lack.locale} builder={builder} lack={lack} />
      ))}
    </section>
  )
}

function Row({ builder, problem, isFault = false }: { builder: Builder; problem: Problem; isFault?: boolean }) {
  const t = useText('funnels')
  const words = useFunnelWords()
  const faultWords = useText('funnelFaults')
  const [, setParams] = useParams()
  const page = problem.page === null ? null : pageIn(builder.state, problem.page)
  const go = () =>
    setParams({ problems: null, page: problem.page, block: problem.block, tab: problem.page ? null : problem.tab })
  const Icon = isFault ? CircleX : TriangleAlert
  return (
    <div className="flex items-start gap-2 text-sm">
      <Icon aria-hidden size={15} className={cx('mt-0.5 shrink-0', isFault ? 'text-bad' : 'text-warn')} />
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere">
          <span className="sr-only">{isFault ? t.fault : t.warning}: </span>
          {page && <b className="font-medium">{pageName(page, builder.state, words)}: </b>}
          {faultInWords(problem.message, faultWords) ?? problem.message}
        </p>
        <p className="font-mono text-xs text-ink-3 wrap-anywhere">{problem.path}</p>
      </div>
      <button type="button" onClick={go} className="min-h-6 shrink-0 rounded-inner text-accent hover:underline">
        {t.goTo}
      </button>
    </div>
  )
}

function LackRow({ builder, lack: { locale, count } }: { builder: Builder; lack: Lack }) {
  const t = useText('funnels')
  const languageName = useLanguageName()
  const [, setParams] = useParams()
  const go = () => setParams({ problems: null, page: null, block: null, tab: 'texts', locale, missing: 'only' })
  return (
    <div className="flex items-start gap-2 text-sm">
      <TriangleAlert aria-hidden size={15} className="mt-0.5 shrink-0 text-warn" />
      <p className="min-w-0 flex-1">
        <span className="sr-only">{t.warning}: </span>
        {t.lacks(languageName(locale), count, languageName(builder.state.defaultLocale))}
      </p>
      <button type="button" onClick={go} className="min-h-6 shrink-0 rounded-inner text-accent hover:underline">
        {t.goTo}
      </button>
    </div>
  )
}

/** ⌘⏎ reviews and publishes, as the button does. */
function usePublishKey(publish: () => void, isOn: boolean): void {
  const latest = useRef(publish)
  latest.current = publish
  useEffect(() => {
    if (!isOn) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || document.querySelector('dialog[open]')) return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isOn])
}
