import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Copy, Trash2 } from 'lucide-react'
import type { BlockStyle, FunnelBlock, FunnelPage } from '../../../../../core/funnel/model'
import { IconButton } from '../../../../kit/button'
import { Card } from '../../../../kit/card'
import { Field, Select, Switch } from '../../../../kit/field'
import { NumberInput } from '../../../../kit/number-input'
import { useText } from '../../../../text/catalogue'
import type { Place } from '../blocks'
import { ConditionsEditor, firstCondition } from '../conditions'
import { Editable } from '../editable'
import { withBlock } from '../pages'
import type { Builder } from '../use-funnel-edit'
import { useFunnelWords } from '../use-words'
import { blockActs } from './block-acts'
import { BlockForm } from './block-form'

interface BlockPropertiesProps {
  builder: Builder
  page: FunnelPage
  place: Place
  locale: string
  onChoose: (id: string | null) => void
}

/** Everything about the chosen block. */
export function BlockProperties({ builder, page, place, locale, onChoose }: BlockPropertiesProps) {
  const t = useText('funnels')
  const words = useFunnelWords()
  const { block } = place
  const put = (next: FunnelBlock, part: string) =>
    builder.change((state) => withBlock(state, page.id, block.id, () => next), `${page.id}.${block.id}.${part}`)
  return (
    <Card
      title={words.blockTypes[block.type]}
      aside={<Acts builder={builder} page={page} place={place} onChoose={onChoose} />}
    >
      <Editable builder={builder}>
        <div className="grid gap-4">
          <p className="font-mono text-xs text-ink-2">{block.id}</p>
          <BlockForm builder={builder} page={page} block={block} locale={locale} onChange={put} />
          <StyleFields block={block} onChange={(next) => put(next, 'style')} />
          <ShownWhen builder={builder} block={block} onChange={(next) => put(next, 'when')} />
          {page.type === 'payment' && <p className="text-xs text-ink-2">{t.noHtmlHere}</p>}
        </div>
      </Editable>
    </Card>
  )
}

function Acts({ builder, page, place, onChoose }: Omit<BlockPropertiesProps, 'locale'>) {
  const t = useText('funnels')
  const common = useText('common')
  if (builder.reason !== null) return null
  const acts = blockActs({ builder, page, onChoose })
  const { id } = place.block
  return (
    <div className="flex flex-wrap">
      <IconButton label={`${t.moveUp} (⌥↑)`} onClick={() => acts.up(id)}>
        <ArrowUp aria-hidden size={15} />
      </IconButton>
      <IconButton label={`${t.moveDown} (⌥↓)`} onClick={() => acts.down(id)}>
        <ArrowDown aria-hidden size={15} />
      </IconButton>
      <IconButton label={`${t.moveOut} (⌥←)`} disabled={place.parents.length === 0} onClick={() => acts.outdent(id)}>
        <ArrowLeft aria-hidden size={15} />
      </IconButton>
      <IconButton label={`${t.moveInto} (⌥→)`} onClick={() => acts.indent(id)}>
        <ArrowRight aria-hidden size={15} />
      </IconButton>
      <IconButton label={t.duplicate} onClick={() => acts.duplicate(id)}>
        <Copy aria-hidden size={15} />
      </IconButton>
      <IconButton label={common.delete} onClick={() => acts.remove(id)}>
        <Trash2 aria-hidden size={15} />
      </IconButton>
    </div>
  )
}

type BlockChange = (block: FunnelBlock) => void

function StyleFields({ block, onChange }: { block: FunnelBlock; onChange: BlockChange }) {
  const t = useText('funnels')
  const put = (change: Partial<Record<keyof BlockStyle, unknown>>) => {
    const style = { ...block.style, ...change } as BlockStyle
    const kept = Object.fromEntries(Object.entries(style).filter(([, value]) => value !== undefined && value !== ''))
    const { style: _before, ...rest } = block
    onChange((Object.keys(kept).length === 0 ? rest : { ...rest, style: kept }) as FunnelBlock)
  }
  const choice = <Name extends 'align' | 'size' | 'tone'>(name: Name, values: readonly (keyof (typeof t)[Name])[]) => (
    <Field key={name} label={t.styleNames[name]}>
      <Select
        value={block.style?.[name] ?? ''}
        onChange={({ target }) => put({ [name]: target.value === '' ? undefined : target.value })}
        options={[['', t.usual] as const, ...values.map((value) => [String(value), String(t[name][value])] as const)]}
      />
    </Field>
  )
  return (
    <details className="text-sm">
      <summary className="min-h-6 cursor-pointer font-medium">{t.appearance}</summary>
      <div className="grid gap-3 pt-2">
        {choice('align', ['start', 'center', 'end'])}
        {choice('size', ['small', 'medium', 'large'])}
        {choice('tone', ['normal', 'muted', 'accent', 'danger', 'success'])}
        <Field label={t.styleNames.space} hint={t.pixels(0, 96)}>
          <NumberInput
            value={block.style?.space ?? 0}
            min={0}
            max={96}
            isWhole
            onChange={(space) => put({ space: space === 0 ? undefined : space })}
          />
        </Field>
      </div>
    </details>
  )
}

function ShownWhen({ builder, block, onChange }: { builder: Builder; block: FunnelBlock; onChange: BlockChange }) {
  const t = useText('funnels')
  const words = useText('funnelWords')
  const { visibleWhen, ...always } = block
  const set = (isOn: boolean) =>
    onChange(
      (isOn
        ? { ...always, visibleWhen: { match: 'all', when: [firstCondition(builder.state)] } }
        : always) as FunnelBlock,
    )
  return (
    <div className="grid gap-2 border-t border-line pt-3">
      <Switch label={words.shownWhen} checked={visibleWhen !== undefined} onChange={set} />
      {visibleWhen ? (
        <ConditionsEditor
          state={builder.state}
          value={visibleWhen}
          onChange={(next) => onChange({ ...block, visibleWhen: next })}
        />
      ) : (
        <p className="text-xs text-ink-2">{t.shownAlways}</p>
      )}
    </div>
  )
}
