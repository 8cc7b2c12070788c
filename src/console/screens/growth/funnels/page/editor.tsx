import { ChevronLeft, ChevronRight, Monitor, Moon, Smartphone, Sun } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { FunnelPage } from '../../../../../core/funnel/model'
import { IconButton } from '../../../../kit/button'
import { FilterSelect } from '../../../../kit/filter-select'
import { Segmented } from '../../../../kit/tabs'
import { cx } from '../../../../lib/class-names'
import { useParam, useParams } from '../../../../lib/url-state'
import { useText } from '../../../../text/catalogue'
import { placeOf } from '../blocks'
import type { Builder } from '../use-funnel-edit'
import { useLanguageName } from '../use-words'
import { AnswerMenu } from './answer-menu'
import { BlockProperties } from './block-properties'
import { Canvas } from './canvas'
import { PageProperties } from './page-properties'
import { BlockTree } from './tree'
import { VariantMenu } from './variant-menu'

interface PageEditorProps {
  builder: Builder
  page: FunnelPage
}

const PANELS = ['blocks', 'preview', 'properties'] as const
type Panel = (typeof PANELS)[number]

/** One page: its blocks, what visitors see, and the properties of what is chosen. */
export function PageEditor({ builder, page }: PageEditorProps) {
  const t = useText('funnels')
  const [locale, setLocale] = useParam('locale', builder.state.defaultLocale)
  const [blockId, setBlock] = useParam('block')
  const [device, setDevice] = useState<'phone' | 'desk'>('phone')
  const [look, setLook] = useState<'light' | 'dark'>('light')
  const [answers, setAnswers] = useState<Readonly<Record<string, unknown>>>({})
  const [panel, setPanel] = useState<Panel>('preview')
  const languageName = useLanguageName()
  const shown = builder.state.locales.includes(locale) ? locale : builder.state.defaultLocale
  const chosen = placeOf(page.blocks ?? [], blockId)
  const choose = (id: string | null) => setBlock(id)
  const panelClass = (one: Panel) =>
    cx('grid-cols-[minmax(0,1fr)] content-start gap-4', panel === one ? 'grid' : 'hidden min-[1100px]:grid')
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <PageSteps builder={builder} page={page} />
        <VariantMenu funnelId={builder.funnel.id} pageId={page.id} />
        <FilterSelect
          label={t.language}
          value={shown}
          onChange={({ target }) => setLocale(target.value === builder.state.defaultLocale ? null : target.value)}
          options={builder.state.locales.map((one) => [one, languageName(one)] as const)}
        />
        <AnswerMenu state={builder.state} answers={answers} onChange={setAnswers} />
        <Segmented
          label={t.device}
          value={device}
          onChange={setDevice}
          options={[
            ['phone', <Named key="p" icon={<Smartphone aria-hidden size={15} />} name={t.phone} />],
            ['desk', <Named key="d" icon={<Monitor aria-hidden size={15} />} name={t.desktop} />],
          ]}
        />
        <Segmented
          label={t.lookOfPreview}
          value={look}
          onChange={setLook}
          options={[
            ['light', <Named key="l" icon={<Sun aria-hidden size={15} />} name={t.light} />],
            ['dark', <Named key="d" icon={<Moon aria-hidden size={15} />} name={t.dark} />],
          ]}
        />
      </div>
      <div className="min-[1100px]:hidden">
        <Segmented
          label={t.panels}
          value={panel}
          onChange={setPanel}
          isWide
          options={PANELS.map((one) => [one, t.panelNames[one]] as const)}
        />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 min-[1100px]:grid-cols-[220px_minmax(0,1fr)_312px]">
        <div className={panelClass('blocks')}>
          <BlockTree builder={builder} page={page} chosen={chosen?.block.id ?? null} onChoose={choose} />
        </div>
        <div className={panelClass('preview')}>
          <Canvas
            {...{ builder, page, answers, device, look }}
            locale={shown}
            chosen={chosen?.block.id ?? null}
            onChoose={choose}
          />
        </div>
        <div className={panelClass('properties')}>
          {chosen && (
            <BlockProperties
              key={chosen.block.id}
              builder={builder}
              page={page}
              place={chosen}
              locale={shown}
              onChoose={choose}
            />
          )}
          <PageProperties builder={builder} page={page} locale={shown} />
        </div>
      </div>
    </>
  )
}

const Named = ({ icon, name }: { icon: ReactNode; name: string }) => (
  <>
    {icon}
    <span className="sr-only">{name}</span>
  </>
)

/** Which page it is, and the ways to the one before and after. */
function PageSteps({ builder: { state }, page }: PageEditorProps) {
  const t = useText('funnels')
  const [, setParams] = useParams()
  const index = state.pages.indexOf(page)
  const to = (step: number) => {
    const other = state.pages[index + step]
    if (other) setParams({ page: other.id, block: null }, { push: true })
  }
  return (
    <div className="flex items-center gap-1 text-sm text-ink-2">
      <IconButton label={t.pageBefore} disabled={index <= 0} onClick={() => to(-1)}>
        <ChevronLeft aria-hidden size={16} />
      </IconButton>
      <span className="tabular-nums">{t.pageOf(index + 1, state.pages.length)}</span>
      <IconButton label={t.pageAfter} disabled={index >= state.pages.length - 1} onClick={() => to(1)}>
        <ChevronRight aria-hidden size={16} />
      </IconButton>
    </div>
  )
}
