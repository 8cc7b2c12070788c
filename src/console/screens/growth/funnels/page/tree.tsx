import { type KeyboardEvent, useRef } from 'react'
import { childrenOf, MAX_BLOCKS } from '../../../../../core/funnel/blocks'
import { BLOCK_TYPES, type FunnelBlock, type FunnelPage } from '../../../../../core/funnel/model'
import { Card } from '../../../../kit/card'
import { Menu } from '../../../../kit/menu'
import { moved, SortableList } from '../../../../kit/sortable'
import { cx } from '../../../../lib/class-names'
import { commandKeys } from '../../../../lib/keys'
import { useText } from '../../../../text/catalogue'
import { idsOf, insertBlock, newBlock, placesOf, replaceBlock } from '../blocks'
import { withBlocks } from '../pages'
import type { Builder } from '../use-funnel-edit'
import { useFunnelWords } from '../use-words'
import { blockActs } from './block-acts'

interface BlockTreeProps {
  builder: Builder
  page: FunnelPage
  chosen: string | null
  onChoose: (id: string | null) => void
}

/** The blocks of a page in their order. Arrow keys go through them, with ⌥ they move the block. */
export function BlockTree(props: BlockTreeProps) {
  const t = useText('funnels')
  const { builder, page } = props
  const blocks = page.blocks ?? []
  return (
    <Card title={t.blocks} aside={t.blocksOf(placesOf(blocks).length, MAX_BLOCKS)}>
      <Tree {...props} />
      <div className="grid gap-2 pt-3">
        <AddBlock {...props} />
        {builder.reason === null && <p className="text-xs text-ink-2">{t.treeKeys(commandKeys('D'))}</p>}
      </div>
    </Card>
  )
}

function Tree(props: BlockTreeProps) {
  const t = useText('funnels')
  const list = useRef<HTMLDivElement>(null)
  const { builder, page, onChoose } = props
  const blocks = page.blocks ?? []
  const focusOn = (id: string) =>
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-tree="${CSS.escape(id)}"]`)?.focus())
  const chooseAndFocus = (id: string | null) => {
    onChoose(id)
    if (id !== null) focusOn(id)
  }
  const acts = blockActs({ builder, page, onChoose: chooseAndFocus })
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const id = (event.target as HTMLElement).dataset.tree
    if (id === undefined) return
    const act = actOf(event)
    if (act === 'next' || act === 'before') walk(list.current, event.target as HTMLElement, act === 'next' ? 1 : -1)
    else if (act !== null && builder.reason === null) acts[act](id)
    if (act !== null) event.preventDefault()
  }
  if (blocks.length === 0) return <p className="text-sm text-ink-2">{t.noBlocks}</p>
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the buttons inside
    <div ref={list} onKeyDown={onKey}>
      <Level {...props} blocks={blocks} parent={null} />
    </div>
  )
}

type Act = 'next' | 'before' | 'up' | 'down' | 'indent' | 'outdent' | 'duplicate' | 'remove'

const KEYS: Record<string, Act> = { ArrowDown: 'next', ArrowUp: 'before', Delete: 'remove', Backspace: 'remove' }
const ALT: Record<string, Act> = { ArrowUp: 'up', ArrowDown: 'down', ArrowRight: 'indent', ArrowLeft: 'outdent' }

function actOf({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): Act | null {
  if (ctrlKey || metaKey) return key.toLowerCase() === 'd' ? 'duplicate' : null
  return (altKey ? ALT : KEYS)[key] ?? null
}

function walk(list: HTMLElement | null, from: HTMLElement, step: number): void {
  const all = [...(list?.querySelectorAll<HTMLElement>('[data-tree]') ?? [])]
  all[all.indexOf(from) + step]?.focus()
}

interface LevelProps extends BlockTreeProps {
  blocks: readonly FunnelBlock[]
  /** The block that holds them; null = the page. */
  parent: string | null
}

function Level(props: LevelProps) {
  const { builder, page, blocks, parent, chosen, onChoose } = props
  const name = useBlockName(builder, page)
  const reorder = (from: number, to: number) =>
    builder.change((state) =>
      withBlocks(state, page.id, (all) => {
        if (parent === null) return moved(all, from, to)
        return replaceBlock(all, parent, (block) => [withOrder(block, from, to)])
      }),
    )
  return (
    <SortableList
      items={blocks}
      keyOf={({ id }) => id}
      nameOf={name}
      onMove={reorder}
      isFixed={builder.reason !== null}
      className={cx('gap-0.5!', parent !== null && 'pl-3')}
    >
      {(block, _index, handle) => (
        <div>
          <div
            className={cx('flex items-center rounded-inner', block.id === chosen ? 'bg-accent-soft' : 'hover:bg-hover')}
          >
            <button
              type="button"
              data-tree={block.id}
              aria-pressed={block.id === chosen}
              onClick={() => onChoose(block.id)}
              className="min-h-7 min-w-0 flex-1 truncate rounded-inner px-2 text-left text-sm -outline-offset-2"
            >
              {name(block)}
            </button>
            <Marks builder={builder} page={page} id={block.id} />
            {handle}
          </div>
          {childrenOf(block).length > 0 && <Level {...props} blocks={childrenOf(block)} parent={block.id} />}
        </div>
      )}
    </SortableList>
  )
}

const withOrder = (block: FunnelBlock, from: number, to: number): FunnelBlock => {
  if (block.type === 'stack')
    return { ...block, props: { ...block.props, children: moved(block.props.children, from, to) } }
  return block.type === 'card' ? { ...block, props: { children: moved(block.props.children, from, to) } } : block
}

/** Whether something is wrong in a block. */
function Marks({ builder: { problems }, page, id }: { builder: Builder; page: FunnelPage; id: string }) {
  const t = useText('funnels')
  const isHere = (problem: { page: string | null; block: string | null }) =>
    problem.page === page.id && problem.block === id
  if (problems.faults.some(isHere)) return <span className="px-1 text-xs text-bad">{t.fault}</span>
  return problems.warnings.some(isHere) ? <span className="px-1 text-xs text-warn">{t.warning}</span> : null
}

/** The start of its text, else its kind. */
function useBlockName({ state: { defaultLocale } }: Builder, page: FunnelPage): (block: FunnelBlock) => string {
  const words = useFunnelWords()
  return (block) => {
    const kind = words.blockTypes[block.type]
    if (block.type === 'heading' || block.type === 'text') return block.props.text[defaultLocale]?.slice(0, 60) || kind
    if (block.type === 'button') return block.props.label[defaultLocale]?.slice(0, 60) || kind
    if (block.type === 'field') {
      const field = page.fields.find(({ id }) => id === block.props.fieldId)
      return `${kind} ${field?.label?.[defaultLocale] ?? block.props.fieldId}`
    }
    return kind
  }
}

function AddBlock({ builder, page, chosen, onChoose }: BlockTreeProps) {
  const t = useText('funnels')
  const words = useFunnelWords()
  if (builder.reason !== null) return null
  const isFull = idsOf(page.blocks ?? []).size >= MAX_BLOCKS
  return (
    <Menu
      align="left"
      className="inline-flex h-7.5 items-center justify-center gap-1.5 rounded-control border border-line-2 bg-surface px-3 text-sm font-medium hover:bg-hover max-md:h-9"
      label={t.addBlock}
      items={BLOCK_TYPES.map((type) => ({
        label: words.blockTypes[type],
        reason: isFull ? t.fullPage : type === 'html' && page.type === 'payment' ? t.noHtmlHere : null,
        onSelect: () => {
          const block = newBlock(type, page)
          builder.change((state) => withBlocks(state, page.id, (blocks) => insertBlock(blocks, block, chosen)))
          onChoose(block.id)
        },
      }))}
    />
  )
}
