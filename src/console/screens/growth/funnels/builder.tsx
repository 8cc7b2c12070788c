import { useEffect, useRef, useState } from 'react'
import { Page } from '../../../kit/page'
import { Tabs } from '../../../kit/tabs'
import { roleFor, useProject } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { FlowView } from './flow/flow'
import { pageName } from './lines'
import { FunnelStatus } from './list'
import { Look } from './look'
import { FunnelMenu } from './menu'
import type { FunnelView } from './model'
import { Numbers } from './numbers/numbers'
import { PageEditor } from './page/editor'
import { pageIn } from './pages'
import { PreviewLink } from './preview-link'
import { PublishBar } from './publish-bar'
import { PublishDialog } from './publish-dialog'
import { Sessions } from './sessions'
import { FunnelSettings } from './settings'
import { TextsView } from './texts'
import { type Builder, useBuilder } from './use-funnel-edit'
import { useFunnelWords } from './use-words'
import { Versions } from './versions'

const TABS = ['flow', 'look', 'texts', 'versions', 'numbers', 'sessions', 'settings'] as const
type Tab = (typeof TABS)[number]

/** The builder of one funnel: views of one draft, and what came of it. */
export function FunnelBuilder({ funnel }: { funnel: FunnelView }) {
  const t = useText('funnels')
  const common = useText('common')
  const { base, can } = useProject()
  const [params, setParams] = useParams()
  const words = useFunnelWords()
  const [isPublishing, setPublishing] = useState(false)
  const role = can('funnels:write') ? null : common.roleNeeded(roleFor('funnels:write'))
  const reason = funnel.status === 'ARCHIVED' ? t.archivedReason : role
  const review = () => setParams({ do: 'publish' }, { push: true })
  const builder = useBuilder(funnel, reason, () => {
    if (isPublishing) review()
    setPublishing(false)
  })
  const { state, edit } = builder
  const page = pageIn(state, params.get('page') ?? '')
  const publish = () => {
    if (!edit.draft.isChanged) return review()
    setPublishing(true)
    edit.save()
  }
  useStepKeys(builder)
  const here = `${base}/growth/funnels/${funnel.id}`
  return (
    <Page
      title={page ? pageName(page, state, words) : state.name || funnel.name}
      crumbs={[
        [common.growth, `${base}/growth`],
        [common.funnels, `${base}/growth/funnels`],
        ...(page ? [[state.name, here] as const] : []),
      ]}
      beside={<FunnelStatus funnel={funnel} />}
      purpose={`/${state.slug} · ${t.pageCount(state.pages.length)} · ${state.locales.map(words.languageName).join(', ')}`}
      actions={
        <>
          <PreviewLink funnel={funnel} locales={state.locales} />
          <FunnelMenu funnel={funnel} reason={role} />
        </>
      }
    >
      {page ? (
        <PageEditor builder={builder} page={page} />
      ) : (
        <Views builder={builder} tab={tabIn(params)} here={here} />
      )}
      <PublishBar builder={builder} onPublish={publish} />
      {params.get('do') === 'publish' && <PublishDialog builder={builder} onClose={() => setParams({ do: null })} />}
    </Page>
  )
}

const tabIn = (params: URLSearchParams): Tab => TABS.find((tab) => tab === params.get('tab')) ?? 'flow'

function Views({ builder, tab, here }: { builder: Builder; tab: Tab; here: string }) {
  const t = useText('funnels')
  return (
    <>
      <Tabs
        label={t.views}
        tabs={TABS.map((one) => [one === 'flow' ? here : `${here}?tab=${one}`, t.tabs[one], one === tab] as const)}
      />
      <View builder={builder} tab={tab} />
    </>
  )
}

function View({ builder, tab }: { builder: Builder; tab: Tab }) {
  switch (tab) {
    case 'look':
      return <Look builder={builder} />
    case 'texts':
      return <TextsView builder={builder} />
    case 'versions':
      return <Versions builder={builder} />
    case 'numbers':
      return <Numbers builder={builder} />
    case 'sessions':
      return <Sessions builder={builder} />
    case 'settings':
      return <FunnelSettings builder={builder} />
    default:
      return <FlowView builder={builder} />
  }
}

/** Takes steps back and again: ⌘Z and ⇧⌘Z, also while typing, because every text is a part of the draft. */
function useStepKeys({ steps, reason }: Builder): void {
  const latest = useRef(steps)
  latest.current = steps
  const isOn = reason === null
  useEffect(() => {
    if (!isOn) return
    const onKey = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase()
      if (!(event.metaKey || event.ctrlKey) || event.altKey || (key !== 'z' && key !== 'y')) return
      if (document.querySelector('dialog[open]')) return
      event.preventDefault()
      if (key === 'y' || event.shiftKey) latest.current.redo()
      else latest.current.undo()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isOn])
}
